// SPDX-License-Identifier: Apache-2.0
//
// The Linux calls that Swift's Glibc module hides. No logic: each function is one call.
#pragma once
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/types.h>

/// accept4 with SOCK_NONBLOCK | SOCK_CLOEXEC.
int nav_accept(int listener);

/// SO_PEERCRED of a Unix socket; -1 and errno on failure.
int nav_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid);
