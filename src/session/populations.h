/* SPDX-License-Identifier: BSD-2-Clause */
/* session/populations.h - where the populations of a run's record are, in the order they are made. */
#ifndef SESSION_POPULATIONS_H
#define SESSION_POPULATIONS_H

enum run_population {
    /** The content of the files: scan_run() makes it. */
    RUN_CONTENT = 0,
    /** The stream of packed items: metadata_build() makes it. */
    RUN_ITEMS
};

#endif
