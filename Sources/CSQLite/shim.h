// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>

/// sqlite3_db_config is variadic, which Swift cannot call: whether closing leaves the write-ahead log as it is.
static inline int nav_sqlite_keep_log(sqlite3 *database, int keep) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}
