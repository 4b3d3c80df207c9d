// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

// What a fuzz target does with one input. Whatever the bytes are, it must return 0.
typedef int (*fuzz_target)(const uint8_t *bytes, size_t count);

// Runs the target under libFuzzer where the program was built with it (scripts/fuzz does), and else once for each
// file named in the arguments. Returns the exit status.
int fuzz_main(int argc, char **argv, fuzz_target target);
