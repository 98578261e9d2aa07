/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * estimate/prior.h - what is known about levels before any data is seen: how well one level
 * predicts another. It chooses parents, keeps intervals of tiny samples wide, and tells the
 * plan where trials are worth most. It never enters an estimate itself.
 *
 * May include: the public headers.
 */
#ifndef ESTIMATE_PRIOR_H
#define ESTIMATE_PRIOR_H

#include "compadvise/level.h"

/**
 * Variance of a chunk's stored size about the prediction from its size alone, relative to the
 * prediction: half as much again or half as little is common in mixed data.
 */
#define PRIOR_ALONE 0.25

/**
 * The same about the prediction from the chunk's stored size at level `b` (symmetric, 0 for
 * a == b, else at least PRIOR_GAP_MIN). Additive along the scale of levels, as measured. auto and
 * obfuscate count as the codec that they lead to.
 */
double prior_gap(struct cadv_level a, struct cadv_level b);

/** The same about the prediction from the chunk's probe (trial/probe.h). */
double prior_probe_gap(struct cadv_level level);

/** (0.5 %)^2: no two levels are trusted to agree better than that. */
#define PRIOR_GAP_MIN 2.5e-5

#endif
