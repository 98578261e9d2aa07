/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/tquantile.h"

#include <stddef.h>

struct quantile {
    double inverse_degrees;
    double t;
};

/* In falling order of 1/degrees, down to the normal distribution. */
static const struct quantile table[] = {
    {1.0 / 1, 12.706}, {1.0 / 2, 4.303},   {1.0 / 3, 3.182},  {1.0 / 4, 2.776},
    {1.0 / 5, 2.571},  {1.0 / 6, 2.447},   {1.0 / 7, 2.365},  {1.0 / 8, 2.306},
    {1.0 / 9, 2.262},  {1.0 / 10, 2.228},  {1.0 / 11, 2.201}, {1.0 / 12, 2.179},
    {1.0 / 13, 2.160}, {1.0 / 14, 2.145},  {1.0 / 15, 2.131}, {1.0 / 16, 2.120},
    {1.0 / 17, 2.110}, {1.0 / 18, 2.101},  {1.0 / 19, 2.093}, {1.0 / 20, 2.086},
    {1.0 / 21, 2.080}, {1.0 / 22, 2.074},  {1.0 / 23, 2.069}, {1.0 / 24, 2.064},
    {1.0 / 25, 2.060}, {1.0 / 26, 2.056},  {1.0 / 27, 2.052}, {1.0 / 28, 2.048},
    {1.0 / 29, 2.045}, {1.0 / 30, 2.042},  {1.0 / 40, 2.021}, {1.0 / 60, 2.000},
    {1.0 / 80, 1.990}, {1.0 / 100, 1.984}, {0.0, 1.960},
};

double tquantile_975(double degrees)
{
    const size_t last = sizeof table / sizeof table[0] - 1;
    double inverse = degrees > 1.0 ? 1.0 / degrees : 1.0;
    size_t i = 0;
    while (i + 1 < last && table[i + 1].inverse_degrees > inverse) {
        i++;
    }

    const struct quantile *a = &table[i];
    const struct quantile *b = &table[i + 1];
    double share = (a->inverse_degrees - inverse) / (a->inverse_degrees - b->inverse_degrees);
    return a->t + share * (b->t - a->t);
}
