/* SPDX-License-Identifier: MIT */
#include "util/secret.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/macros.h"
#include "util/new_file.h"
#include "util/options.h"

#define KEY_BYTES 16

/* --- SipHash: Aumasson, Bernstein, "SipHash: a fast short-input PRF", 2012 --- */

static uint64_t rotate(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static void rounds(uint64_t v[4], unsigned count)
{
    while (count--) {
        v[0] += v[1];
        v[1] = rotate(v[1], 13) ^ v[0];
        v[0] = rotate(v[0], 32);
        v[2] += v[3];
        v[3] = rotate(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = rotate(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = rotate(v[1], 17) ^ v[2];
        v[2] = rotate(v[2], 32);
    }
}

static uint64_t load64(const uint8_t *bytes)
{
    uint64_t x = 0;
    for (unsigned i = 0; i < 8; i++)
        x |= (uint64_t)bytes[i] << 8 * i;
    return x;
}

uint64_t util_siphash(const uint8_t key[KEY_BYTES], const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint8_t last[8] = {[7] = (uint8_t)size};
    uint64_t k[2] = {load64(key), load64(key + 8)};
    uint64_t v[4] = {k[0] ^ 0x736f6d6570736575, k[1] ^ 0x646f72616e646f6d,
                     k[0] ^ 0x6c7967656e657261, k[1] ^ 0x7465646279746573};
    memcpy(last, bytes + size / 8 * 8, size % 8);
    for (size_t i = 0; i <= size / 8; i++) {
        uint64_t word = load64(i < size / 8 ? bytes + 8 * i : last);
        v[3] ^= word;
        rounds(v, 2);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* --- Key --- */

static uint8_t key[KEY_BYTES];
static bool has_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Reads the key. Requires that the file belongs to the user and that no other user has access. */
static bool read_key(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return false;
    bool good = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
                !(st.st_mode & 077) && read(fd, key, sizeof key) == sizeof key;
    close(fd);
    return good;
}

/* Creates a key file; keeps an existing one. */
static void write_key(const char *directory)
{
    const struct iovec piece = {key, sizeof key};
    if (getrandom(key, sizeof key, GRND_NONBLOCK) == sizeof key)
        util_new_file(directory, "key", &piece, 1, false);
}

/* Returns whether only this user can write to the directory. Otherwise others could plant a key
 * they know. */
static bool directory_is_ours(const char *directory)
{
    struct stat st;
    return !stat(directory, &st) && st.st_uid == geteuid() && !(st.st_mode & 022);
}

static void find_key(void)
{
    const char *directory = util_get_options()->cache_dir;
    const void *of_process = (const void *)getauxval(AT_RANDOM); /* 16 bytes */
    char path[4096];
    if (directory && *directory && directory_is_ours(directory) &&
        snprintf(path, sizeof path, "%s/key", directory) < (int)sizeof path) {
        has_key = read_key(path) || (write_key(directory), read_key(path));
    }
    /* AT_RANDOM also seeds stack canaries and more, so hash it: no bit of it may leak */
    static const char *const purpose[2] = {"indium 0", "indium 1"};
    for (unsigned i = 0; i < 2 && of_process && !has_key; i++) {
        uint64_t half = util_siphash(of_process, purpose[i], strlen(purpose[i]));
        memcpy(key + 8 * i, &half, sizeof half);
    }
    has_key |= of_process != NULL;
}

bool util_tag(const void *data, size_t size, uint64_t *tag)
{
    pthread_once(&once, find_key);
    *tag = util_siphash(key, data, size);
    return has_key;
}
