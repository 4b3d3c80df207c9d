// SPDX-License-Identifier: Apache-2.0
#include "CFuzzDriver.h"
#include <stdio.h>
#include <stdlib.h>

// Weak: there only when the program is linked with libFuzzer.
extern int LLVMFuzzerRunDriver(int *argc, char ***argv, fuzz_target target) __attribute__((weak));

static int replay(const char *path, fuzz_target target) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t count = 0, capacity = 1 << 16;
    uint8_t *bytes = malloc(capacity);
    while (bytes) {
        count += fread(bytes + count, 1, capacity - count, file);
        if (count < capacity) break;
        uint8_t *larger = realloc(bytes, capacity *= 2);
        if (!larger) free(bytes);
        bytes = larger;
    }
    fclose(file);
    if (!bytes) return 1;
    target(bytes, count);
    free(bytes);
    return 0;
}

int fuzz_main(int argc, char **argv, fuzz_target target) {
    if (LLVMFuzzerRunDriver) return LLVMFuzzerRunDriver(&argc, &argv, target);
    int status = 0;
    for (int index = 1; index < argc; index++) status |= replay(argv[index], target);
    printf("%d inputs replayed\n", argc - 1);
    return status;
}
