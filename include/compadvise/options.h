/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.h - everything a run can be told. A plain value: start from cadv_options_default(),
 * change fields, pass it on. Pointers are borrowed and must outlive the run.
 */
#ifndef COMPADVISE_OPTIONS_H
#define COMPADVISE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compadvise/chunker.h"
#include "compadvise/level.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Limits that options are checked against. */
#define CADV_JOBS_MAX 256

/** What a path stands for. */
enum cadv_input {
    /** A file, or a directory with all below it. */
    CADV_INPUT_TREE = 0,
    /** An archive whose members are the dataset's files; the path "-" is standard input. */
    CADV_INPUT_ARCHIVE,
    /** Standard input as one file called `stdin_name`; the path is "-". */
    CADV_INPUT_STREAM
};

struct cadv_options {
    /** Roots: files or directories, or what `inputs` says; at least one. */
    const char *const *paths;
    size_t path_count;
    /** One for each path; NULL: all are CADV_INPUT_TREE. Only one may read standard input. */
    const enum cadv_input *inputs;
    /** How the backup calls the file that comes from standard input. */
    const char *stdin_name;
    /** Read FIFOs and devices as if they were files, also those that links point to. */
    bool is_read_special;
    /** What one archive may expand to; 0: as much as it likes up to a hundred times its size. */
    uint64_t archive_max_bytes;
    /** Rows of the report. Empty: zstd 1 to 22. */
    struct cadv_level_list levels;
    /** Adds the `none` and `lz4` rows. Default true. */
    bool has_baseline;
    /** Worker threads, 1 to CADV_JOBS_MAX; 0: the CPUs this process may use. */
    unsigned jobs;
    /** How content is cut, its seed included. */
    struct cadv_chunker_params chunker;
    /** Trial every unique chunk at every level instead of a sample. */
    bool is_exact;
    /** CPU to spend on trials, as bytes that zstd,19 would compress with it. At least 1. */
    uint64_t sample_budget_bytes;
    /** Picks another sample of the same data. */
    uint64_t sample_salt;
    /**
     * Limits; 0: none. Wall seconds from the start, CPU seconds of the process, bytes of memory.
     * A run that comes to one ends with a report of what it has.
     */
    double max_time_s;
    double max_cpu_s;
    uint64_t max_memory_bytes;
    /** Stay on each root's file system. */
    bool is_one_file_system;
    /** Shell patterns of paths to leave out, as Borg's `--exclude` reads them (style fm). */
    const char *const *excludes;
    size_t exclude_count;
    /** Bytes per second; 0: measured here (read, write) or no link at all (uplink). */
    double read_rate;
    double write_rate;
    double uplink_rate;
    /** Currency per GB (10^9 bytes) and month. */
    double storage_price;
    /** Currency per hour of one core. */
    double cpu_price;
    /** Months that what is stored is kept. */
    double keep_months;
    /** The target's name; "borg1". */
    const char *target;
    /** The repository's mode as the target's own command spells it; "none". */
    const char *encryption;
    /** Name of the archive to make; "a". */
    const char *archive_name;
};

/** Defaults, by value; every number here is explained in the README. */
struct cadv_options cadv_options_default(void);

#ifdef __cplusplus
}
#endif
#endif
