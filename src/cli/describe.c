/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * describe man|bash|zsh|fish - writes the manual's options, or a shell's completion, from the option
 * table. Run while building; not installed. The options that argp adds are in a table here.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/describe.h"

static const struct cli_option describe_builtin[] = {
    {.name = "help", .letter = '?', .group = CLI_GROUP_OUTPUT, .help = "Print the options"},
    {.name = "usage",
     .group = CLI_GROUP_OUTPUT,
     .help = "Print a short summary of the options"},
    {.name = "version",
     .letter = 'V',
     .group = CLI_GROUP_OUTPUT,
     .help = "Print the version, and those of the codec libraries"},
};

size_t describe_count(void)
{
    return cli_option_count + sizeof describe_builtin / sizeof *describe_builtin;
}

const struct cli_option *describe_option(size_t index)
{
    return index < cli_option_count ? &cli_options[index]
                                    : &describe_builtin[index - cli_option_count];
}

bool describe_is_file(const struct cli_option *option)
{
    return option->values != NULL && strcmp(option->values, "@file") == 0;
}

bool describe_is_directory(const struct cli_option *option)
{
    return option->values != NULL && strcmp(option->values, "@directory") == 0;
}

bool describe_has_words(const struct cli_option *option)
{
    return option->values != NULL && option->values[0] != '@';
}

size_t describe_first_sentence(const char *help)
{
    const char *end = strstr(help, ". ");
    return end == NULL ? strlen(help) : (size_t)(end - help);
}

/* True where a sentence ends, so that the next begins a line, as mdoc wants it. */
static bool ends_sentence(const char *word, size_t length, const char *next)
{
    return length > 1 && word[length - 1] == '.' && isupper((unsigned char)*next);
}

/* One word, so that roff takes neither a control line nor an escape from it. */
static void print_roff_word(const char *word, size_t length, bool is_first)
{
    if (is_first && (*word == '.' || *word == '\'')) {
        (void)fputs("\\&", stdout);
    }
    for (size_t i = 0; i < length; i++) {
        if (word[i] == '\\') {
            (void)fputs("\\e", stdout);
        } else {
            (void)fputc(word[i], stdout);
        }
    }
}

/* The help as mdoc text: wrapped, each sentence on a line of its own, a full stop at the end. */
static void print_roff_text(const char *text)
{
    size_t column = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (column > 0 && column + 1 + length > 76) {
            (void)fputc('\n', stdout);
            column = 0;
        } else if (column > 0) {
            (void)fputc(' ', stdout);
            column++;
        }
        print_roff_word(text, length, column == 0);
        column += length;
        const char *next = text + length + strspn(text + length, " ");
        if (ends_sentence(text, length, next)) {
            (void)fputc('\n', stdout);
            column = 0;
        }
        text = next;
    }
    (void)fputs(".\n", stdout);
}

static void print_argument(const struct cli_option *option)
{
    if (option->argument != NULL) {
        (void)fputs(" Ar ", stdout);
        for (const char *at = option->argument; *at != '\0'; at++) {
            (void)fputc(tolower((unsigned char)*at), stdout);
        }
    }
}

static void print_manual_option(const struct cli_option *option)
{
    (void)fputs(".It ", stdout);
    if (option->letter != 0) {
        (void)printf("Fl %s%c", option->letter == '?' ? "\\&" : "", option->letter);
        print_argument(option);
        (void)fputs(" , ", stdout);
    }
    (void)printf("Fl \\-%s", option->name);
    print_argument(option);
    (void)fputc('\n', stdout);
    print_roff_text(option->help);
}

static void print_manual(void)
{
    for (int group = 0; group < CLI_GROUPS; group++) {
        const char *heading = cli_group_heading((enum cli_group)group);
        (void)printf(".Ss %.*s\n.Bl -tag -width Ds\n", (int)strcspn(heading, ":"), heading);
        for (size_t i = 0; i < describe_count(); i++) {
            if ((int)describe_option(i)->group == group) {
                print_manual_option(describe_option(i));
            }
        }
        (void)fputs(".El\n", stdout);
    }
}

/* The page of which one line is "@OPTIONS@", with the options in its place. */
static bool fill_manual(const char *path)
{
    FILE *page = fopen(path, "r");
    char line[1024];
    bool is_filled = false;
    while (page != NULL && fgets(line, sizeof line, page) != NULL) {
        if (strcmp(line, "@OPTIONS@\n") == 0) {
            print_manual();
            is_filled = true;
        } else {
            (void)fputs(line, stdout);
        }
    }
    return page != NULL && fclose(page) == 0 && is_filled;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", describe_bash}, {"zsh", describe_zsh}, {"fish", describe_fish}};
    bool is_done = false;
    if (argc == 3 && strcmp(argv[1], "man") == 0) {
        is_done = fill_manual(argv[2]);
    }
    for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(argv[1], shells[i].name) == 0) {
            shells[i].print();
            is_done = true;
        }
    }
    if (!is_done) {
        (void)fputs("usage: describe man PAGE | bash | zsh | fish\n", stderr);
    }
    return is_done && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
