/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borg1_encryption.c - the modes of `borg init --encryption`, a row each.
 *
 * Encrypting puts a type, a MAC of 32 bytes and a counter of 8 before each payload; AES in
 * counter mode adds nothing more. The other modes put the type alone. A key lies in the
 * repository's config, encoded and wrapped, or outside in a file; the BLAKE2b forms have longer
 * keys. Modes with a cipher keep their last counter in a file.
 *
 * The first object is the empty manifest, packed by lz4 whatever the level is. With a key it has
 * one more entry, which asks for authentication.
 */
#include "target/borg1.h"

#include <string.h>

enum { TYPE_ONLY = 1, TYPE_MAC_COUNTER = 1 + 32 + 8 };

/* Sizes of the file `config`: no key, a key, a key of a BLAKE2b mode. */
enum { CONFIG_KEYLESS = 209, CONFIG_KEY = 700, CONFIG_LONG_KEY = 964 };

enum { NONCE = 16 };

/* Head, envelope, codec's name and payload of the first manifest. */
enum { FIRST_PLAIN = 468, FIRST_AUTHENTICATED = 482, FIRST_ENCRYPTED = 522 };

static const struct target_encryption modes[] = {
    {.name = "none",
     .id_hash = TARGET_SHA256,
     .envelope_bytes = TYPE_ONLY,
     .config_bytes = CONFIG_KEYLESS,
     .first_object_bytes = FIRST_PLAIN},
    {.name = "authenticated",
     .is_keyed = true,
     .id_hash = TARGET_HMAC_SHA256,
     .envelope_bytes = TYPE_ONLY,
     .config_bytes = CONFIG_KEY,
     .first_object_bytes = FIRST_AUTHENTICATED},
    {.name = "authenticated-blake2",
     .is_keyed = true,
     .id_hash = TARGET_BLAKE2B,
     .envelope_bytes = TYPE_ONLY,
     .config_bytes = CONFIG_LONG_KEY,
     .first_object_bytes = FIRST_AUTHENTICATED},
    {.name = "repokey",
     .is_keyed = true,
     .has_cipher = true,
     .mac = TARGET_HMAC_SHA256,
     .id_hash = TARGET_HMAC_SHA256,
     .envelope_bytes = TYPE_MAC_COUNTER,
     .config_bytes = CONFIG_KEY,
     .nonce_bytes = NONCE,
     .first_object_bytes = FIRST_ENCRYPTED},
    {.name = "repokey-blake2",
     .is_keyed = true,
     .has_cipher = true,
     .mac = TARGET_BLAKE2B,
     .id_hash = TARGET_BLAKE2B,
     .envelope_bytes = TYPE_MAC_COUNTER,
     .config_bytes = CONFIG_LONG_KEY,
     .nonce_bytes = NONCE,
     .first_object_bytes = FIRST_ENCRYPTED},
    {.name = "keyfile",
     .is_keyed = true,
     .has_cipher = true,
     .mac = TARGET_HMAC_SHA256,
     .id_hash = TARGET_HMAC_SHA256,
     .envelope_bytes = TYPE_MAC_COUNTER,
     .config_bytes = CONFIG_KEYLESS,
     .nonce_bytes = NONCE,
     .first_object_bytes = FIRST_ENCRYPTED},
    {.name = "keyfile-blake2",
     .is_keyed = true,
     .has_cipher = true,
     .mac = TARGET_BLAKE2B,
     .id_hash = TARGET_BLAKE2B,
     .envelope_bytes = TYPE_MAC_COUNTER,
     .config_bytes = CONFIG_KEYLESS,
     .nonce_bytes = NONCE,
     .first_object_bytes = FIRST_ENCRYPTED},
};

const char borg1_encryption_names[] = "none, authenticated, authenticated-blake2, repokey, "
                                      "repokey-blake2, keyfile, keyfile-blake2";

const struct target_encryption *borg1_encryption(const char *name)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(modes[i].name, name) == 0) {
            return &modes[i];
        }
    }
    return NULL;
}

uint64_t borg1_object_bytes(const struct target_setup *setup)
{
    return BORG1_PUT_BYTES + setup->encryption->envelope_bytes + BORG1_CODEC_ID_BYTES;
}
