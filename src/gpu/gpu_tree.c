/* SPDX-License-Identifier: MIT */
/* INDIUM_GPU_TREE names the directory; the `indium gpu` command makes it and removes it. Without the
 * variable, the first process makes one in /tmp and removes it when it exits. */
#include "gpu/gpu_tree.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_device.h"
#include "gpu/gpu_system.h"
#include "util/macros.h"

#define PCI_DEVICE "sys/devices/pci0000:00/0000:00:02.0"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char root[PATH_MAX]; /* empty: there is no directory */
static size_t root_length;
static pid_t owner; /* the process that removes the directory */
static dev_t node_device;
static ino_t node_inodes[3]; /* indexed by enum gpu_node */

/* ------------------------------------------------------------------------------- files --- */

static void make_directories(const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", root, name);

    if (length < 0 || (size_t)length >= sizeof path)
        return;
    for (char *end = path + root_length + 1; (end = strchr(end, '/')); end++) {
        *end = 0;
        mkdir(path, 0755);
        *end = '/';
    }
}

PRINTFLIKE(2, 3) static void make_file(const char *name, const char *format, ...)
{
    char path[PATH_MAX], text[1024];
    va_list arguments;
    int fd, length;

    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    make_directories(name);
    if (snprintf(path, sizeof path, "%s/%s", root, name) >= (int)sizeof path)
        return;
    fd = gpu_sys_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return;
    if (write(fd, text, MIN2((size_t)length, sizeof text - 1)) < 0) {
        /* The file stays empty. */
    }
    gpu_sys_close(fd);
}

static void make_link(const char *name, const char *target)
{
    char path[PATH_MAX];

    make_directories(name);
    if (snprintf(path, sizeof path, "%s/%s", root, name) >= (int)sizeof path)
        return;
    if (symlink(target, path) != 0) {
        /* It exists. */
    }
}

/* Bytes 0 to 63 of the PCI configuration space. */
static void make_config(void)
{
    const struct gpu_chip *chip = gpu_get_chip();
    uint8_t config[64] = {
        0x86,
        0x80,
        chip->pci_id & 0xff,
        chip->pci_id >> 8,
        0x07,
        0x04,
        0x10,
        0x00,
        chip->revision,
        0x00,
        0x00,
        0x03, /* VGA display controller */
    };
    char path[PATH_MAX];
    int fd;

    config[0x2c] = 0x86;
    config[0x2d] = 0x80;
    config[0x2e] = chip->pci_id & 0xff;
    config[0x2f] = chip->pci_id >> 8;
    if (snprintf(path, sizeof path, "%s/" PCI_DEVICE "/config", root) >= (int)sizeof path)
        return;
    fd = gpu_sys_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return;
    if (write(fd, config, sizeof config) < 0) {
        /* The file stays empty. */
    }
    gpu_sys_close(fd);
}

static void make_pci_device(void)
{
    const struct gpu_chip *chip = gpu_get_chip();

    make_file(PCI_DEVICE "/vendor", "0x8086\n");
    make_file(PCI_DEVICE "/device", "0x%04x\n", chip->pci_id);
    make_file(PCI_DEVICE "/subsystem_vendor", "0x8086\n");
    make_file(PCI_DEVICE "/subsystem_device", "0x%04x\n", chip->pci_id);
    make_file(PCI_DEVICE "/revision", "0x%02x\n", chip->revision);
    make_file(PCI_DEVICE "/class", "0x030000\n");
    make_file(PCI_DEVICE "/numa_node", "-1\n");
    make_file(PCI_DEVICE "/boot_vga", "1\n");
    make_file(PCI_DEVICE "/uevent",
              "DRIVER=i915\nPCI_CLASS=30000\nPCI_ID=8086:%04X\nPCI_SUBSYS_ID=8086:%04X\n"
              "PCI_SLOT_NAME=0000:00:02.0\n"
              "MODALIAS=pci:v00008086d%08Xsv00008086sd%08Xbc03sc00i00\n",
              chip->pci_id, chip->pci_id, chip->pci_id, chip->pci_id);
    make_config();
    make_file("sys/bus/pci/drivers/i915/uevent", "%s", "");
    make_link(PCI_DEVICE "/subsystem", "../../../bus/pci");
    make_link(PCI_DEVICE "/driver", "../../../bus/pci/drivers/i915");
    make_link("sys/bus/pci/devices/0000:00:02.0", "../../../devices/pci0000:00/0000:00:02.0");
    make_link("sys/bus/pci/drivers/i915/0000:00:02.0",
              "../../../../devices/pci0000:00/0000:00:02.0");
}

static void make_drm_device(const char *name, unsigned minor)
{
    char path[256], target[256];

    snprintf(path, sizeof path, PCI_DEVICE "/drm/%s/dev", name);
    make_file(path, "%u:%u\n", GPU_DRM_MAJOR, minor);
    snprintf(path, sizeof path, PCI_DEVICE "/drm/%s/uevent", name);
    make_file(path, "MAJOR=%u\nMINOR=%u\nDEVNAME=dri/%s\nDEVTYPE=drm_minor\n", GPU_DRM_MAJOR, minor,
              name);
    snprintf(path, sizeof path, PCI_DEVICE "/drm/%s/device", name);
    make_link(path, "../../../0000:00:02.0");
    snprintf(path, sizeof path, PCI_DEVICE "/drm/%s/subsystem", name);
    make_link(path, "../../../../../class/drm");
    snprintf(target, sizeof target, "../../devices/pci0000:00/0000:00:02.0/drm/%s", name);
    snprintf(path, sizeof path, "sys/class/drm/%s", name);
    make_link(path, target);
    snprintf(target, sizeof target, "../../devices/pci0000:00/0000:00:02.0/drm/%s", name);
    snprintf(path, sizeof path, "sys/dev/char/%u:%u", GPU_DRM_MAJOR, minor);
    make_link(path, target);
    snprintf(path, sizeof path, "dev/dri/%s", name);
    make_file(path, "%s", "");
}

/* Frequencies in MHz, which programs read. */
static void make_frequencies(void)
{
    static const char *const names[] = {"gt_act_freq_mhz", "gt_cur_freq_mhz", "gt_boost_freq_mhz",
                                        "gt_max_freq_mhz", "gt_RP0_freq_mhz"};

    for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
        char path[256];

        snprintf(path, sizeof path, PCI_DEVICE "/drm/card0/%s", names[i]);
        make_file(path, "1000\n");
    }
    make_file(PCI_DEVICE "/drm/card0/gt_min_freq_mhz", "350\n");
    make_file(PCI_DEVICE "/drm/card0/gt_RP1_freq_mhz", "350\n");
    make_file(PCI_DEVICE "/drm/card0/gt_RPn_freq_mhz", "350\n");
    make_file(PCI_DEVICE "/drm/card0/error", "No error state collected\n");
    make_file("sys/class/drm/version", "drm 1.1.0 20060810\n");
}

static void make_debug_files(void)
{
    static const char *const names[] = {"i915_wedged", "i915_gem_drop_caches",
                                        "i915_forcewake_user"};

    for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
        char path[256];

        snprintf(path, sizeof path, "sys/kernel/debug/dri/0/%s", names[i]);
        make_file(path, "0\n");
    }
    make_file("sys/kernel/debug/dri/0/name", "i915 dev=0000:00:02.0 unique=0000:00:02.0\n");
    make_link("sys/kernel/debug/dri/128", "0");
}

static void make_tree(void)
{
    make_pci_device();
    make_drm_device("card0", 0);
    make_drm_device("renderD128", GPU_RENDER_MINOR);
    make_frequencies();
    make_debug_files();
}

/* --------------------------------------------------------------------------- directory --- */

static void remove_directory(int parent, const char *name, int depth);

/* The directory has few levels; the limit keeps an error from going far. */
static void remove_contents(int directory, int depth)
{
    struct entry {
        uint64_t inode;
        int64_t offset;
        uint16_t length;
        uint8_t type;
        char name[];
    };
    char buffer[4096] __attribute__((aligned(8)));
    long size;

    while ((size = syscall(SYS_getdents64, directory, buffer, sizeof buffer)) > 0) {
        for (long at = 0; at < size;) {
            struct entry *entry = (struct entry *)(buffer + at);

            at += entry->length;
            if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0)
                continue;
            if (unlinkat(directory, entry->name, 0) != 0)
                remove_directory(directory, entry->name, depth + 1);
        }
        syscall(SYS_lseek, directory, 0, SEEK_SET);
    }
}

static void remove_directory(int parent, const char *name, int depth)
{
    int directory = depth > 16 ? -1
                               : (int)syscall(SYS_openat, parent, name,
                                              O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);

    if (directory < 0)
        return;
    remove_contents(directory, depth);
    gpu_sys_close(directory);
    unlinkat(parent, name, AT_REMOVEDIR);
}

__attribute__((destructor)) static void remove_tree(void)
{
    if (owner && owner == getpid())
        remove_directory(AT_FDCWD, root, 0);
}

static void find_node(enum gpu_node node, const char *name)
{
    char path[PATH_MAX];
    struct stat st;

    if (snprintf(path, sizeof path, "%s/dev/dri/%s", root, name) < (int)sizeof path &&
        syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0) == 0) {
        node_device = st.st_dev;
        node_inodes[node] = st.st_ino;
    }
}

static void init(void)
{
    const char *name = getenv("INDIUM_GPU_TREE");
    int error = errno;

    if (name && *name && strlen(name) < sizeof root / 2) {
        strcpy(root, name);
    } else {
        strcpy(root, "/tmp/indium-gpu-XXXXXX");
        if (mkdtemp(root)) {
            owner = getpid();
            setenv("INDIUM_GPU_TREE", root, 1);
        } else {
            root[0] = 0;
        }
    }
    root_length = strlen(root);
    if (root_length) {
        find_node(GPU_NODE_RENDER, "renderD128");
        if (!node_inodes[GPU_NODE_RENDER])
            make_tree();
        find_node(GPU_NODE_CARD, "card0");
        find_node(GPU_NODE_RENDER, "renderD128");
    }
    errno = error;
}

/* --------------------------------------------------------------------------- redirection --- */

static bool starts_with(const char *path, const char *start)
{
    return strncmp(path, start, strlen(start)) == 0;
}

const char *gpu_tree_redirect(const char *path, char *buffer, size_t size)
{
    int error = errno;
    const char *result = path;

    if (!path || path[0] != '/' || !(starts_with(path, "/dev/dri") || starts_with(path, "/sys/")))
        return path;
    pthread_once(&once, init);
    if (root_length && snprintf(buffer, size, "%s%s", root, path) < (int)size &&
        (starts_with(path, "/dev/dri") || gpu_sys_access(buffer) == 0))
        result = buffer;
    errno = error;
    return result;
}

enum gpu_node gpu_tree_node(dev_t device, ino_t inode)
{
    pthread_once(&once, init);
    if (device != node_device)
        return GPU_NODE_NONE;
    for (unsigned i = GPU_NODE_CARD; i <= GPU_NODE_RENDER; i++) {
        if (inode == node_inodes[i])
            return i;
    }
    return GPU_NODE_NONE;
}

const char *gpu_tree_strip(const char *path)
{
    pthread_once(&once, init);
    if (root_length && strncmp(path, root, root_length) == 0 && path[root_length] == '/')
        return path + root_length;
    return path;
}
