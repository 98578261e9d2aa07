/* SPDX-License-Identifier: BSD-2-Clause */
#include "record/problems.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static int compare(const struct record_problem *a, const char *path,
                   enum record_problem_kind kind)
{
    CADV_ASSERT(a->path != NULL);
    int order = strcmp(a->path, path);
    return order != 0 ? order : (int)a->kind - (int)kind;
}

bool record_problems_add(struct record_problems *problems, enum record_problem_kind kind,
                         int saved_errno, uint64_t bytes, const char *path)
{
    problems->count++;
    /* Holes make files of up to 2^63 bytes, and reports have sizes of 63 bits. */
    bool is_too_much = bytes > (uint64_t)INT64_MAX - problems->bytes;
    problems->bytes = is_too_much ? INT64_MAX : problems->bytes + bytes;
    problems->count_by_kind[kind]++;
    if (problems->listed == NULL) {
        problems->listed = calloc(RECORD_PROBLEMS_MAX, sizeof *problems->listed);
        if (problems->listed == NULL) {
            return false;
        }
    }

    size_t at = problems->listed_count;
    while (at > 0 && compare(&problems->listed[at - 1], path, kind) > 0) {
        at--;
    }
    if (at == RECORD_PROBLEMS_MAX) {
        return true;
    }
    char *copy = strdup(path);
    if (copy == NULL) {
        return false;
    }
    if (problems->listed_count == RECORD_PROBLEMS_MAX) {
        free(problems->listed[--problems->listed_count].path);
    }
    memmove(&problems->listed[at + 1], &problems->listed[at],
            (problems->listed_count - at) * sizeof *problems->listed);
    problems->listed[at] = (struct record_problem){
        .kind = kind, .saved_errno = saved_errno, .bytes = bytes, .path = copy};
    problems->listed_count++;
    return true;
}

void record_problems_fini(struct record_problems *problems)
{
    for (size_t i = 0; i < problems->listed_count; i++) {
        free(problems->listed[i].path);
    }
    free(problems->listed);
    *problems = (struct record_problems){0};
}
