/* SPDX-License-Identifier: BSD-2-Clause */
/* compadvise.h - the whole public interface. */
#ifndef COMPADVISE_COMPADVISE_H
#define COMPADVISE_COMPADVISE_H

#include "compadvise/chunker.h"
#include "compadvise/error.h"
#include "compadvise/level.h"
#include "compadvise/options.h"
#include "compadvise/report.h"
#include "compadvise/result.h"
#include "compadvise/session.h"
#include "compadvise/units.h"
#include "compadvise/version.h"

#endif
