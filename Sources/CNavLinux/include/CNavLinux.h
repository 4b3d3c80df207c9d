// SPDX-License-Identifier: Apache-2.0
//
// The Linux calls that Swift's Glibc module hides. No logic: each function is one call.
#pragma once
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/types.h>

/// accept4 with SOCK_NONBLOCK | SOCK_CLOEXEC.
int nav_accept(int listener);

/// SO_PEERCRED of a Unix socket; -1 and errno on failure.
int nav_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid);

/// SO_PEERGROUPS of a Unix socket: how many supplementary groups were written to `groups`; -1 and errno on failure,
/// ERANGE when there are more than `capacity`.
int nav_peer_groups(int fd, uint32_t *groups, int capacity);

/// ntp_adjtime without a change: 1 when the kernel calls its clock synchronised, 0 when it does not or cannot say.
int nav_clock_is_synchronised(void);

/// pthread_setname_np of the calling thread; at most 15 bytes are kept.
void nav_name_this_thread(const char *name);
