/* SPDX-License-Identifier: MIT */
/* INDIUM_GPU_TREE names the directory, which `indium gpu` creates and removes. Without the
 * variable, the first process creates one in TMPDIR or /tmp and removes it when it exits. The next
 * program removes the directories of programs that crashed. The first process that uses an empty
 * directory creates the files. */
#include "gpu/gpu_tree.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_device.h"
#include "gpu/gpu_directory.h"
#include "gpu/gpu_system.h"
#include "util/macros.h"

#define PCI_DEVICE      "sys/devices/pci0000:00/0000:00:02.0"
#define PLATFORM_DEVICE "sys/devices/platform/indium"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char root[PATH_MAX]; /* empty: there is no directory */
static size_t root_length;
static pid_t owner; /* the process that removes the directory */
static dev_t node_device;
static ino_t node_inodes[GPU_NODE_COUNT]; /* indexed by enum gpu_node */

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

/* Creates the file with bytes 0 to 63 of the PCI configuration space. */
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

/* Creates the list of PCI resources: registers, and the aperture of 256 MiB. */
static void make_resources(void)
{
    make_file(PCI_DEVICE "/resource", "0x00000000a0000000 0x00000000a0ffffff 0x0000000000140204\n"
                                      "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
                                      "0x00000000b0000000 0x00000000bfffffff 0x000000000014220c\n"
                                      "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
                                      "0x000000000000f000 0x000000000000f03f 0x0000000000040101\n"
                                      "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
                                      "0x0000000000000000 0x0000000000000000 0x0000000000000000\n");
    make_file(PCI_DEVICE "/irq", "16\n");
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
    make_resources();
    make_file("sys/bus/pci/drivers/i915/uevent", "%s", "");
    make_link(PCI_DEVICE "/subsystem", "../../../bus/pci");
    make_link(PCI_DEVICE "/driver", "../../../bus/pci/drivers/i915");
    make_link("sys/bus/pci/devices/0000:00:02.0", "../../../devices/pci0000:00/0000:00:02.0");
    make_link("sys/bus/pci/drivers/i915/0000:00:02.0",
              "../../../../devices/pci0000:00/0000:00:02.0");
}

/* Creates the files of a display without a GPU. */
static void make_platform_device(void)
{
    make_file(PLATFORM_DEVICE "/uevent", "DRIVER=indium\nMODALIAS=platform:indium\n");
    make_file("sys/bus/platform/drivers/indium/uevent", "%s", "");
    make_link(PLATFORM_DEVICE "/subsystem", "../../../bus/platform");
    make_link(PLATFORM_DEVICE "/driver", "../../../bus/platform/drivers/indium");
}

/* device: the directory of the PCI or platform device. */
static void make_drm_device(const char *device, const char *name, unsigned minor)
{
    char path[256], target[256];

    snprintf(path, sizeof path, "%s/drm/%s/dev", device, name);
    make_file(path, "%u:%u\n", GPU_DRM_MAJOR, minor);
    snprintf(path, sizeof path, "%s/drm/%s/uevent", device, name);
    make_file(path, "MAJOR=%u\nMINOR=%u\nDEVNAME=dri/%s\nDEVTYPE=drm_minor\n", GPU_DRM_MAJOR, minor,
              name);
    snprintf(path, sizeof path, "%s/drm/%s/device", device, name);
    snprintf(target, sizeof target, "../../../%s", strrchr(device, '/') + 1);
    make_link(path, target);
    snprintf(path, sizeof path, "%s/drm/%s/subsystem", device, name);
    make_link(path, "../../../../../class/drm");
    snprintf(target, sizeof target, "../../%s/drm/%s", device + strlen("sys/"), name);
    snprintf(path, sizeof path, "sys/class/drm/%s", name);
    make_link(path, target);
    snprintf(path, sizeof path, "sys/dev/char/%u:%u", GPU_DRM_MAJOR, minor);
    make_link(path, target);
    snprintf(path, sizeof path, "dev/dri/%s", name);
    make_file(path, "%s", "");
}

/* Creates the files with frequencies in MHz, an error state and a version. */
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
}

static void make_parameters(void)
{
    make_file("sys/module/i915/parameters/reset", "3\n");
    make_file("sys/module/i915/parameters/enable_hangcheck", "Y\n");
    make_file("sys/module/i915/parameters/enable_guc", "0\n");
    make_file("sys/module/i915/parameters/request_timeout_ms", "20000\n");
}

/* Creates the files with an engine's properties, which have no effect. */
static void make_engine(enum gpu_engine engine)
{
    static const char *const names[] = {"rcs", "bcs", "vcs", "vecs"}; /* by I915_ENGINE_CLASS_* */
    static const struct {
        const char *name, *text;
    } properties[] = {
        {"heartbeat_interval_ms", "2500"},
        {"preempt_timeout_ms", "640"},
        {"stop_timeout_ms", "100"},
        {"timeslice_duration_ms", "1"},
        {"capabilities", ""},
        {"known_capabilities", ""},
    };
    unsigned engine_class = gpu_engine_class(engine), instance = gpu_engine_instance(engine);
    char base[200], path[256];

    snprintf(base, sizeof base, PCI_DEVICE "/drm/card0/engine/%s%u", names[engine_class], instance);
    snprintf(path, sizeof path, "%s/name", base);
    make_file(path, "%s%u\n", names[engine_class], instance);
    snprintf(path, sizeof path, "%s/class", base);
    make_file(path, "%u\n", engine_class);
    snprintf(path, sizeof path, "%s/instance", base);
    make_file(path, "%u\n", instance);
    for (unsigned i = 0; i < ARRAY_SIZE(properties); i++) {
        snprintf(path, sizeof path, "%s/%s", base, properties[i].name);
        make_file(path, "%s\n", properties[i].text);
        snprintf(path, sizeof path, "%s/.defaults/%s", base, properties[i].name);
        make_file(path, "%s\n", properties[i].text);
    }
}

static void make_engines(void)
{
    for (unsigned i = 0; i < GPU_ENGINE_COUNT; i++) {
        if (gpu_get_chip()->engines & BITFIELD_BIT(i))
            make_engine(i);
    }
}

static void make_debug_files(void)
{
    static const char *const names[] = {"i915_wedged", "i915_gem_drop_caches", "i915_gem_objects",
                                        "i915_forcewake_user"};

    for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
        char path[256];

        snprintf(path, sizeof path, "sys/kernel/debug/dri/0/%s", names[i]);
        make_file(path, "0\n");
    }
    make_file("sys/kernel/debug/dri/0/name", "i915 dev=0000:00:02.0 unique=0000:00:02.0\n");
    make_link("sys/kernel/debug/dri/128", "0");
    make_file("sys/kernel/debug/sync/sw_sync", "%s", "");
}

static void make_nodes(const char *device)
{
    make_drm_device(device, "card0", 0);
    make_drm_device(device, "renderD128", GPU_RENDER_MINOR);
    make_file("sys/class/drm/version", "drm 1.1.0 20060810\n");
}

static void make_tree(void)
{
    make_debug_files();
    if (!gpu_get_chip()->ver) {
        make_platform_device();
        make_nodes(PLATFORM_DEVICE);
        return;
    }
    make_pci_device();
    make_nodes(PCI_DEVICE);
    make_frequencies();
    make_parameters();
    make_engines();
}

/* --------------------------------------------------------------------------- directory --- */

__attribute__((destructor)) static void remove_tree(void)
{
    if (owner && owner == getpid())
        gpu_directory_remove(root);
}

static void find_node(enum gpu_node node, const char *name)
{
    char path[PATH_MAX];
    struct stat st;

    if (snprintf(path, sizeof path, "%s/%s", root, name) < (int)sizeof path &&
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
    } else if (gpu_directory_create(root, sizeof root)) {
        setenv("INDIUM_GPU_TREE", root, 1);
    } else {
        root[0] = 0;
    }
    root_length = strlen(root);
    if (root_length) {
        if (gpu_directory_creator(root) == getpid()) /* perhaps before an exec() */
            owner = getpid();
        gpu_directory_use(root);
        find_node(GPU_NODE_RENDER, "dev/dri/renderD128");
        if (!node_inodes[GPU_NODE_RENDER]) {
            gpu_directory_remove_unused(root);
            make_tree();
        }
        find_node(GPU_NODE_CARD, "dev/dri/card0");
        find_node(GPU_NODE_OBJECTS, "sys/kernel/debug/dri/0/i915_gem_objects");
        find_node(GPU_NODE_SW_SYNC, "sys/kernel/debug/sync/sw_sync");
        find_node(GPU_NODE_RENDER, "dev/dri/renderD128");
    }
    errno = error;
}

/* --------------------------------------------------------------------------- redirection --- */

static bool starts_with(const char *path, const char *start)
{
    return strncmp(path, start, strlen(start)) == 0;
}

/* Returns whether a path is one of those that are redirected. If "/.." follows the start, it isn't:
 * the parents of `dri` and `debug`, which are mount points, are outside of the directory. */
static bool is_inside(const char *path)
{
    static const char *const starts[] = {
        "/dev/dri",
        "/sys/class/drm",
        "/sys/dev/char/226:",
        "/" PCI_DEVICE,
        "/" PLATFORM_DEVICE,
        "/sys/kernel/debug",
        "/sys/bus/pci/devices/0000:00:02.0",
        "/sys/bus/pci/drivers/i915",
        "/sys/module/i915",
    };

    for (unsigned i = 0; i < ARRAY_SIZE(starts); i++) {
        if (starts_with(path, starts[i]))
            return strcmp(path + strlen(starts[i]), "/..") != 0;
    }
    /* The list of devices contains only this one. */
    return strcmp(path, "/sys/bus/pci/devices") == 0;
}

const char *gpu_tree_redirect(const char *path, char *buffer, size_t size)
{
    int error = errno;
    const char *result = path;

    if (!path || path[0] != '/' || !is_inside(path))
        return path;
    pthread_once(&once, init);
    if (root_length && snprintf(buffer, size, "%s%s", root, path) < (int)size &&
        (starts_with(path, "/dev/dri") || gpu_sys_access(buffer) == 0))
        result = buffer;
    errno = error;
    return result;
}

const char *gpu_tree_redirect_at(int directory, const char *path, char *buffer, size_t size)
{
    char link[32], absolute[PATH_MAX];
    const char *redirected;
    int error = errno;
    ssize_t length;

    if (!path || !*path || path[0] == '/' || directory < 0)
        return gpu_tree_redirect(path, buffer, size);
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    length = syscall(SYS_readlinkat, AT_FDCWD, link, absolute, sizeof absolute - 1);
    errno = error;
    if (length < 4 || (memcmp(absolute, "/sys", 4) != 0 && memcmp(absolute, "/dev", 4) != 0))
        return path;
    if (snprintf(absolute + length, sizeof absolute - (size_t)length, "/%s", path) >=
        (int)(sizeof absolute - (size_t)length))
        return path;
    redirected = gpu_tree_redirect(absolute, buffer, size);
    return redirected == absolute ? path : redirected;
}

enum gpu_node gpu_tree_node(dev_t device, ino_t inode)
{
    pthread_once(&once, init);
    if (device != node_device)
        return GPU_NODE_NONE;
    for (unsigned i = GPU_NODE_CARD; i < GPU_NODE_COUNT; i++) {
        if (inode == node_inodes[i])
            return i;
    }
    return GPU_NODE_NONE;
}

void gpu_tree_file(enum gpu_node node, dev_t *device, ino_t *inode)
{
    pthread_once(&once, init);
    *device = node_device;
    *inode = node_inodes[node];
}

const char *gpu_tree_strip(const char *path)
{
    pthread_once(&once, init);
    if (root_length && strncmp(path, root, root_length) == 0 && path[root_length] == '/')
        return path + root_length;
    return path;
}

/* Reads the start of a file of the tree. Returns the number of bytes, without the null that follows
 * them; 0 if there is no such file. */
static size_t read_start(const char *path, char text[32])
{
    char buffer[PATH_MAX];
    const char *name = gpu_tree_redirect(path, buffer, sizeof buffer);
    int error = errno, fd = name != path ? gpu_sys_open(name, O_RDONLY | O_CLOEXEC, 0) : -1;
    ssize_t length = fd >= 0 ? read(fd, text, 31) : 0;

    if (fd >= 0)
        gpu_sys_close(fd);
    errno = error;
    text[MAX2(length, 0)] = 0;
    return (size_t)MAX2(length, 0);
}

long gpu_tree_read_number(const char *path, long fallback)
{
    char text[32], *end;
    size_t length = read_start(path, text);
    long number = strtol(text, &end, 10);

    return length && end != text ? number : fallback;
}

bool gpu_tree_read_flag(const char *path, bool fallback)
{
    char text[32];

    read_start(path, text);
    switch (text[0]) {
    case '0':
    case 'N':
    case 'n':
        return false;
    case '1':
    case 'Y':
    case 'y':
        return true;
    default:
        return fallback;
    }
}
