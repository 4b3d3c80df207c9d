// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zstd.h>
#include <zstd_errors.h>
#include <zdict.h>
