/* SPDX-License-Identifier: BSD-2-Clause */
/* version.h - which compadvise this is, and which codec libraries it runs on. */
#ifndef COMPADVISE_VERSION_H
#define COMPADVISE_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define CADV_VERSION "0.1.0"

/** The version of the library in use; CADV_VERSION is that of the headers. Static storage. */
const char *cadv_version(void);

#ifdef __cplusplus
}
#endif
#endif
