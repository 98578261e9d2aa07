/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * markdown.c - one row a level as a table of GitHub's Markdown, padded so that it reads well as
 * text too; below it the advice as a list. What Markdown or a terminal would obey is escaped.
 */
#include <langinfo.h>
#include <string.h>

#include "report/cells.h"

/* Each byte of a cell may become an escape. */
enum { ESCAPED_MAX = 4 * REPORT_CELL_MAX };

/* `text` with a backslash before what Markdown takes for itself, line breaks as spaces. */
static void escape_markdown(const struct report_text *to, const char *text, char *out,
                            size_t room)
{
    char plain[ESCAPED_MAX];
    char joined[ESCAPED_MAX];
    (void)snprintf(joined, sizeof joined, "%s", text);
    for (char *at = strchr(joined, '\n'); at != NULL; at = strchr(at, '\n')) {
        *at = ' ';
    }
    escape_copy(joined, report_path_flags(to) & ~(unsigned)ESCAPE_BACKSLASH, plain,
                sizeof plain);
    size_t used = 0;
    for (const char *at = plain; *at != '\0' && used + 3 < room; at++) {
        if (strchr("\\|`*_[]<>", *at) != NULL) {
            out[used++] = '\\';
        }
        out[used++] = *at;
    }
    out[used] = '\0';
}

static void make_cell(const struct report_view *view, size_t row, enum cadv_column column,
                      char *out)
{
    char cell[REPORT_CELL_MAX];
    report_cell(view, row, column, cell);
    escape_markdown(view->text, cell, out, ESCAPED_MAX);
}

static const char *title_of(enum cadv_column column)
{
    return column == CADV_COLUMN_MARKS ? "marks" : report_column_title(column);
}

static void print_cell(FILE *out, const char *text, size_t width, bool is_right)
{
    int gap = (int)(width - report_display_width(text));
    (void)fprintf(out, "| %*s%s%*s ", is_right ? gap : 0, "", text, is_right ? 0 : gap, "");
}

static void print_head(const struct report_view *view, const size_t *widths)
{
    FILE *out = view->text->out;
    for (size_t c = 0; c < view->columns.count; c++) {
        enum cadv_column column = view->columns.items[c];
        print_cell(out, title_of(column), widths[c], report_column_is_right(column));
    }
    (void)fputs("|\n", out);
    for (size_t c = 0; c < view->columns.count; c++) {
        bool is_right = report_column_is_right(view->columns.items[c]);
        (void)fputs("| ", out);
        for (size_t i = is_right ? 1 : 0; i < widths[c]; i++) {
            (void)fputc('-', out);
        }
        (void)fputs(is_right ? ": " : " ", out);
    }
    (void)fputs("|\n", out);
}

static void print_levels(const struct report_view *view)
{
    size_t widths[CADV_COLUMN_COUNT];
    char cell[ESCAPED_MAX];
    for (size_t c = 0; c < view->columns.count; c++) {
        widths[c] = strlen(title_of(view->columns.items[c]));
        widths[c] = widths[c] < 3 ? 3 : widths[c];
        for (size_t i = 0; i < view->result->row_count; i++) {
            make_cell(view, i, view->columns.items[c], cell);
            size_t width = report_display_width(cell);
            widths[c] = width > widths[c] ? width : widths[c];
        }
    }
    print_head(view, widths);
    for (size_t i = 0; i < view->result->row_count; i++) {
        for (size_t c = 0; c < view->columns.count; c++) {
            enum cadv_column column = view->columns.items[c];
            make_cell(view, view->order[i], column, cell);
            print_cell(view->text->out, cell, widths[c], report_column_is_right(column));
        }
        (void)fputs("|\n", view->text->out);
    }
}

static void print_advice(const struct report_view *view, const char *title,
                         const struct cadv_recommendation *advice)
{
    char why[4 * sizeof advice->why];
    escape_markdown(view->text, advice->why, why, sizeof why);
    bool is_there = advice->row < view->result->row_count;
    (void)fprintf(view->text->out, "- %s: %s%s%s%s.\n", title, is_there ? "**" : "",
                  is_there ? view->result->rows[advice->row].name : "none",
                  is_there ? "**; " : "; ", why[0] != '\0' ? why : "nothing to choose from");
}

enum cadv_status report_write_markdown(const struct cadv_result *result,
                                       const struct cadv_report_options *options, FILE *out,
                                       struct cadv_error *err)
{
    (void)err;
    const struct report_text text = {
        .out = out, .is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0, .options = options};
    struct report_view view;
    report_view_init(&view, &text, result);
    report_partial(&text, result);
    print_levels(&view);
    if (options->verbosity >= 0) {
        (void)fputc('\n', out);
        print_advice(&view, "Daily", &result->advice.daily);
        print_advice(&view, "Archive", &result->advice.archive);
        print_advice(&view, "Knee", &result->advice.knee);
    }
    return CADV_OK;
}
