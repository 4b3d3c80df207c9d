// SPDX-License-Identifier: Apache-2.0
// Counts the allocations of the calling thread.
#pragma once
#include <stdint.h>

// Allocations since the process began: malloc, calloc, realloc and the aligned ones.
uint64_t allocation_count(void);
