// SPDX-License-Identifier: Apache-2.0
//
// A library to preload into a program under test: it writes a line for each call that changes files or sends bytes, in
// the order in which they happened, and can make a call fail. It exports nothing of its own.
//
//   LD_PRELOAD=libSyscallTrace.so
//   SYSCALL_TRACE=FILE              one line per call, appended
//   SYSCALL_TRACE_UNDER=DIRECTORY   of calls on files, only those below it (sockets and pipes always)
//   SYSCALL_TRACE_DATA=FILE         the bytes that were written to files, one after the other
//   SYSCALL_TRACE_FAIL=CALL:N:ERRNO the N-th call of that name (1 is the first) and all later ones fail with that errno
//
// A line, fields parted by one tab:
//
//   number  call  kind  path  key=value…
//
// `number` rises by one. `call` is write (also pwrite, writev …), sync (fsync, fdatasync), truncate, open (of a file
// that it made or emptied), rename, unlink, send (any write to a socket), pipe (any write to a pipe). A line about a
// file stands after the call has returned, with its result; a line about a socket or pipe stands before the bytes
// leave. So a sync whose line comes before that of a send had completed before the first byte was sent.
#pragma once
