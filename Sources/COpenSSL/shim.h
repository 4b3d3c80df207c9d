// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/rand.h>
#include <openssl/pem.h>
#include <openssl/hmac.h>

// Macros with casts, which Swift does not import.
static const uint64_t NAV_SSL_OP_STRICT =
    SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION;
static const int NAV_MBSTRING_UTF8 = MBSTRING_UTF8;
