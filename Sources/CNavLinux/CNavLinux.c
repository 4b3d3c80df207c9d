// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CNavLinux.h"

#include <pthread.h>
#include <sys/socket.h>
#include <sys/timex.h>

int nav_accept(int listener) { return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int nav_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length)) return -1;
    *pid = credentials.pid;
    *uid = credentials.uid;
    *gid = credentials.gid;
    return 0;
}

int nav_clock_is_synchronised(void) {
    struct timex state = {0};
    int result = ntp_adjtime(&state);
    return result >= 0 && result != TIME_ERROR && !(state.status & STA_UNSYNC);
}

void nav_name_this_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int nav_peer_groups(int fd, uint32_t *groups, int capacity) {
    socklen_t length = (socklen_t)capacity * sizeof *groups;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &length)) return -1;
    return (int)(length / sizeof *groups);
}
