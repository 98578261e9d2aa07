/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/wls.h"

/* Below this share of the product of its diagonal, the determinant is rounding noise. Raising
   it gives up the second covariate earlier. */
#define COLLINEAR 1e-9

void wls_add(struct wls_sums *sums, double weight, double x, double p, double y)
{
    sums->w_x += weight * x;
    sums->w_p += weight * p;
    sums->w_pp_over_x += weight * p * p / x;
    sums->w_y += weight * y;
    sums->w_yp_over_x += weight * y * p / x;
}

struct wls_sums wls_minus(const struct wls_sums *a, const struct wls_sums *b)
{
    struct wls_sums difference = {
        .w_x = a->w_x - b->w_x,
        .w_p = a->w_p - b->w_p,
        .w_pp_over_x = a->w_pp_over_x - b->w_pp_over_x,
        .w_y = a->w_y - b->w_y,
        .w_yp_over_x = a->w_yp_over_x - b->w_yp_over_x,
    };
    return difference;
}

static double determinant(const struct wls_sums *sums)
{
    return sums->w_x * sums->w_pp_over_x - sums->w_p * sums->w_p;
}

struct wls_fit wls_solve(const struct wls_sums *sums, enum wls_model model)
{
    struct wls_fit fit = {.model = model};
    double det = determinant(sums);
    if (fit.model == WLS_BOTH && det <= COLLINEAR * sums->w_x * sums->w_pp_over_x) {
        fit.model = WLS_PARENT;
    }
    if (fit.model == WLS_PARENT && sums->w_p <= 0.0) {
        fit.model = WLS_SIZE;
    }

    if (fit.model == WLS_BOTH) {
        fit.beta_x = (sums->w_y * sums->w_pp_over_x - sums->w_yp_over_x * sums->w_p) / det;
        fit.beta_p = (sums->w_yp_over_x * sums->w_x - sums->w_y * sums->w_p) / det;
    } else if (fit.model == WLS_PARENT) {
        fit.beta_p = sums->w_y / sums->w_p;
    } else if (sums->w_x > 0.0) {
        fit.beta_x = sums->w_y / sums->w_x;
    }
    return fit;
}

double wls_leverage(const struct wls_sums *sums, enum wls_model model, double weight, double x,
                    double p)
{
    if (model == WLS_BOTH) {
        double form = x * x * sums->w_pp_over_x - 2.0 * x * p * sums->w_p + p * p * sums->w_x;
        return weight / x * form / determinant(sums);
    }
    return model == WLS_PARENT ? weight * p / sums->w_p : weight * x / sums->w_x;
}

double wls_predict(const struct wls_fit *fit, double x, double p)
{
    return fit->beta_x * x + fit->beta_p * p;
}

int wls_covariates(enum wls_model model)
{
    return model == WLS_BOTH ? 2 : 1;
}
