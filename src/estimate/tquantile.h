/* SPDX-License-Identifier: BSD-2-Clause */
/* estimate/tquantile.h - how many standard errors a 95 % interval reaches. */
#ifndef ESTIMATE_TQUANTILE_H
#define ESTIMATE_TQUANTILE_H

/**
 * The 97.5 % quantile of Student's t distribution for `degrees` of freedom, which need not be
 * whole; below 1 it answers as for 1. Between the published values (NIST/SEMATECH e-Handbook of
 * Statistical Methods, section 1.3.6.7.2) it goes straight in 1/degrees. The curve is convex
 * there, so what it answers is never too small.
 */
double tquantile_975(double degrees);

#endif
