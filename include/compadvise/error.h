/* SPDX-License-Identifier: BSD-2-Clause */
/* error.h - how compadvise reports failure: a status, and what-where-why beside it. */
#ifndef COMPADVISE_ERROR_H
#define COMPADVISE_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/** Results of every function that can fail. Anything but CADV_OK leaves outputs untouched. */
enum cadv_status {
    /** It worked. */
    CADV_OK = 0,
    /** An option, level list or chunker notation is wrong: the caller must change it. */
    CADV_ERR_USAGE,
    /** A named root does not exist or cannot be opened at all. */
    CADV_ERR_INPUT,
    /** The roots hold no file content, so there is nothing to advise on. */
    CADV_ERR_EMPTY,
    /** Memory ran out; nothing was lost on disk. */
    CADV_ERR_NOMEM,
    /** The system refused an operation that is not about one file of the dataset. */
    CADV_ERR_SYSTEM,
    /** A report could not be written whole; no half file is left behind. */
    CADV_ERR_OUTPUT,
    /** A codec failed on data it must accept: a defect in it or in compadvise. */
    CADV_ERR_CODEC,
};

/**
 * The details of a failure: a plain value, copied freely between threads, owning nothing.
 * Functions take it last and optional (NULL: details are not wanted).
 */
struct cadv_error {
    /** Same as the returned status. */
    enum cadv_status status;
    /** errno of the failed call, or 0 where none was involved. */
    int saved_errno;
    /** One line: what, where, and what to do. No trailing newline; always terminated. */
    char message[512];
};

/**
 * Fills `err` (may be NULL) as the library itself does: one printable line of at most its room,
 * control characters and invalid UTF-8 escaped, so that a name in it cannot break line or terminal.
 * `saved_errno` is kept and its text appended after ": "; 0: none. Returns `status`.
 */
enum cadv_status cadv_error_set(struct cadv_error *err, enum cadv_status status,
                                int saved_errno, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;

#ifdef __cplusplus
}
#endif
#endif
