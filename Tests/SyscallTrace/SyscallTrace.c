// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "SyscallTrace.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// What is written by this file itself goes straight to the kernel: no call of ours is traced.
static ssize_t raw_write(int fd, const void *bytes, size_t count) { return syscall(SYS_write, fd, bytes, count); }

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace_file = -1, data_file = -1;
static long data_offset, number;
static const char *under = "";
static char fail_call[32];
static long fail_number, fail_count;
static int fail_errno;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("SYSCALL_TRACE");
    if (path) trace_file = (int)syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    path = getenv("SYSCALL_TRACE_DATA");
    if (path) data_file = (int)syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    path = getenv("SYSCALL_TRACE_UNDER");
    if (path) under = path;
    const char *fail = getenv("SYSCALL_TRACE_FAIL");
    if (fail && sscanf(fail, "%31[^:]:%ld:%d", fail_call, &fail_number, &fail_errno) != 3) fail_call[0] = 0;
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// Whether this call is one of those that were asked to fail. It is counted either way.
static int fails(const char *call) {
    if (!fail_call[0] || strcmp(call, fail_call)) return 0;
    pthread_mutex_lock(&lock);
    int due = ++fail_count >= fail_number;
    pthread_mutex_unlock(&lock);
    if (due) errno = fail_errno;
    return due;
}

static void say(const char *call, const char *kind, const char *path, const char *format, ...) {
    if (trace_file < 0) return;
    int saved = errno;
    char line[2 * PATH_MAX + 256];
    va_list arguments;
    pthread_mutex_lock(&lock);
    int length = snprintf(line, sizeof line, "%ld\t%s\t%s\t%s", ++number, call, kind, path);
    if (length > 0 && (size_t)length < sizeof line) {
        va_start(arguments, format);
        int more = vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
        va_end(arguments);
        length += more > 0 ? more : 0;
        if ((size_t)length < sizeof line - 1) {
            line[length++] = '\n';
            raw_write(trace_file, line, (size_t)length);
        }
    }
    pthread_mutex_unlock(&lock);
    errno = saved;
}

// Whether a path is one that was asked for.
static int wanted(const char *path) { return !strncmp(path, under, strlen(under)); }

// The path of a file or directory; 0 for anything else or a path that nobody asked for.
static const char *describe(int fd, char path[PATH_MAX], const char **kind) {
    int saved = errno;
    struct stat status;
    const char *found = 0;
    *kind = "other";
    path[0] = 0;
    if (trace_file >= 0 && fd != trace_file && fd != data_file && !fstat(fd, &status)) {
        char link[32];
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t length = readlink(link, path, PATH_MAX - 1);
        if (length > 0) path[length] = 0;
        if (S_ISREG(status.st_mode)) *kind = "file";
        if (S_ISDIR(status.st_mode)) *kind = "directory";
        if (S_ISSOCK(status.st_mode)) *kind = "socket";
        if (S_ISFIFO(status.st_mode)) *kind = "pipe";
        if ((S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) && wanted(path)) found = path;
    }
    errno = saved;
    return found;
}

// Before bytes leave through a socket or a pipe.
static void before_sending(int fd, size_t count) {
    char path[PATH_MAX];
    const char *kind;
    if (trace_file < 0) return;
    describe(fd, path, &kind);
    if (!strcmp(kind, "socket")) say("send", kind, path, "\tfd=%d\tcount=%zu", fd, count);
    if (!strcmp(kind, "pipe")) say("pipe", kind, path, "\tfd=%d\tcount=%zu", fd, count);
}

// After bytes were written to a file. `offset` is -1 when the file's own position tells it.
static void after_writing(int fd, const struct iovec *parts, int part_count, ssize_t result, off64_t offset) {
    char path[PATH_MAX];
    const char *kind;
    if (!describe(fd, path, &kind)) return;
    int saved = errno;
    if (offset < 0) offset = (off64_t)lseek64(fd, 0, SEEK_CUR) - (result > 0 ? result : 0);
    pthread_mutex_lock(&lock);
    long data = data_offset;
    ssize_t left = result;
    for (int part = 0; data_file >= 0 && part < part_count && left > 0; part++) {
        size_t count = parts[part].iov_len < (size_t)left ? parts[part].iov_len : (size_t)left;
        raw_write(data_file, parts[part].iov_base, count);
        data_offset += (long)count;
        left -= (ssize_t)count;
    }
    pthread_mutex_unlock(&lock);
    errno = saved;
    say("write", kind, path, "\toffset=%lld\tresult=%zd\tdata=%ld", (long long)offset, result, data);
}

// A write to a file that was asked for; one to a socket or pipe fails under its own name only.
static int write_fails(int fd) {
    char path[PATH_MAX];
    const char *kind;
    return fail_call[0] && describe(fd, path, &kind) && fails("write");
}

static size_t total(const struct iovec *parts, int count) {
    size_t sum = 0;
    for (int part = 0; part < count; part++) sum += parts[part].iov_len;
    return sum;
}

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(write);
    before_sending(fd, count);
    ssize_t result = write_fails(fd) ? -1 : real(fd, bytes, count);
    struct iovec part = {(void *)bytes, count};
    after_writing(fd, &part, 1, result, -1);
    return result;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(writev);
    before_sending(fd, total(parts, count));
    ssize_t result = write_fails(fd) ? -1 : real(fd, parts, count);
    after_writing(fd, parts, count, result, -1);
    return result;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    REAL(pwrite);
    ssize_t result = write_fails(fd) ? -1 : real(fd, bytes, count, offset);
    struct iovec part = {(void *)bytes, count};
    after_writing(fd, &part, 1, result, offset);
    return result;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    REAL(pwrite64);
    ssize_t result = write_fails(fd) ? -1 : real(fd, bytes, count, offset);
    struct iovec part = {(void *)bytes, count};
    after_writing(fd, &part, 1, result, offset);
    return result;
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
    REAL(pwritev);
    ssize_t result = write_fails(fd) ? -1 : real(fd, parts, count, offset);
    after_writing(fd, parts, count, result, offset);
    return result;
}

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
    REAL(send);
    before_sending(fd, count);
    return fails("send") ? -1 : real(fd, bytes, count, flags);
}

ssize_t sendto(int fd, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t length) {
    REAL(sendto);
    before_sending(fd, count);
    return fails("send") ? -1 : real(fd, bytes, count, flags, address, length);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    REAL(sendmsg);
    before_sending(fd, total(message->msg_iov, (int)message->msg_iovlen));
    return fails("send") ? -1 : real(fd, message, flags);
}

static int after_sync(int fd, int result, const char *how) {
    char path[PATH_MAX];
    const char *kind;
    if (describe(fd, path, &kind)) say("sync", kind, path, "\thow=%s\tresult=%d", how, result);
    return result;
}

int fsync(int fd) {
    REAL(fsync);
    return after_sync(fd, fails("fsync") || fails("sync") ? -1 : real(fd), "fsync");
}

int fdatasync(int fd) {
    REAL(fdatasync);
    return after_sync(fd, fails("fdatasync") || fails("sync") ? -1 : real(fd), "fdatasync");
}

static int after_truncate(int fd, int result, off64_t length) {
    char path[PATH_MAX];
    const char *kind;
    if (describe(fd, path, &kind)) say("truncate", kind, path, "\tlength=%lld\tresult=%d", (long long)length, result);
    return result;
}

int ftruncate(int fd, off_t length) {
    REAL(ftruncate);
    return after_truncate(fd, fails("truncate") ? -1 : real(fd, length), length);
}

int ftruncate64(int fd, off64_t length) {
    REAL(ftruncate64);
    return after_truncate(fd, fails("truncate") ? -1 : real(fd, length), length);
}

// A line only for a file that the call made or emptied.
static int after_open(int fd, int flags, int existed) {
    char path[PATH_MAX];
    const char *kind;
    int makes = (flags & O_CREAT) && !existed, empties = (flags & O_TRUNC) && existed;
    if (fd >= 0 && (makes || empties) && describe(fd, path, &kind)) {
        say("open", kind, path, "\tmade=%d", makes);
    }
    return fd;
}

#define OPEN_MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list arguments; \
        va_start(arguments, flags); \
        mode = va_arg(arguments, mode_t); \
        va_end(arguments); \
    }

int open(const char *path, int flags, ...) {
    REAL(open);
    OPEN_MODE(flags);
    int existed = (flags & (O_CREAT | O_TRUNC)) && !access(path, F_OK);
    return after_open(fails("open") ? -1 : real(path, flags, mode), flags, existed);
}

int open64(const char *path, int flags, ...) {
    REAL(open64);
    OPEN_MODE(flags);
    int existed = (flags & (O_CREAT | O_TRUNC)) && !access(path, F_OK);
    return after_open(fails("open") ? -1 : real(path, flags, mode), flags, existed);
}

int openat(int directory, const char *path, int flags, ...) {
    REAL(openat);
    OPEN_MODE(flags);
    int existed = (flags & (O_CREAT | O_TRUNC)) && !faccessat(directory, path, F_OK, 0);
    return after_open(fails("open") ? -1 : real(directory, path, flags, mode), flags, existed);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    int result = fails("rename") ? -1 : real(from, to);
    if (wanted(from) || wanted(to)) say("rename", "name", from, "\tto=%s\tresult=%d", to, result);
    return result;
}

int unlink(const char *path) {
    REAL(unlink);
    int result = fails("unlink") ? -1 : real(path);
    if (wanted(path)) say("unlink", "name", path, "\tresult=%d", result);
    return result;
}
