/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * estimate/wls.h - weighted least squares of y on (x, p), without a constant, weights w/x.
 *
 * x is the chunk's size, p its value at the parent level, w the inverse of the chance that the
 * chunk was sampled. With weights w/x and x among the covariates the weighted residuals sum to
 * 0 (Sarndal, Swensson and Wretman, Model Assisted Survey Sampling, section 6.5), so the
 * estimated total is simply the fit applied to the totals of x and p. Everything follows from
 * five sums, which add: a fit without some chunks is a subtraction away.
 */
#ifndef ESTIMATE_WLS_H
#define ESTIMATE_WLS_H

/** What y is fitted on. PARENT alone is a ratio: sum w y / sum w p, likewise SIZE alone. */
enum wls_model { WLS_SIZE = 0, WLS_PARENT, WLS_BOTH };

struct wls_sums {
    double w_x;
    double w_p;
    double w_pp_over_x;
    double w_y;
    double w_yp_over_x;
};

struct wls_fit {
    enum wls_model model;
    double beta_x;
    double beta_p;
};

/** Adds one chunk to the sums; `weight` is w, or the part of w that one wants to add. */
void wls_add(struct wls_sums *sums, double weight, double x, double p, double y);

/** a - b, sum by sum. */
struct wls_sums wls_minus(const struct wls_sums *a, const struct wls_sums *b);

/**
 * Solves for `model`. WLS_BOTH falls back to WLS_PARENT where x and p are as good as
 * proportional, WLS_PARENT to WLS_SIZE where p has no weight; fit.model says which it became.
 */
struct wls_fit wls_solve(const struct wls_sums *sums, enum wls_model model);

/** The leverage h of a chunk in a fit: between 0 and 1, summing to the number of covariates. */
double wls_leverage(const struct wls_sums *sums, enum wls_model model, double weight, double x,
                    double p);

/** beta_x x + beta_p p. */
double wls_predict(const struct wls_fit *fit, double x, double p);

/** Number of covariates of a model. */
int wls_covariates(enum wls_model model);

#endif
