/* SPDX-License-Identifier: BSD-2-Clause */
/* completion.c - completions of three shells, written from the option table. */
#include <string.h>

#include "cli/describe.h"

/* In single quotes of a shell; `escaped` get a backslash besides. */
static void put_quoted(const char *text, size_t length, const char *escaped)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'') {
            (void)fputs("'\\''", stdout);
            continue;
        }
        if (strchr(escaped, text[i]) != NULL) {
            (void)fputc('\\', stdout);
        }
        (void)fputc(text[i], stdout);
    }
}

static void put_help(const struct cli_option *option, const char *escaped)
{
    put_quoted(option->help, describe_first_sentence(option->help), escaped);
}

static bool is_list(const struct cli_option *option)
{
    return option->argument != NULL && strcmp(option->argument, "LIST") == 0;
}

/* --- bash --- */

/* What may follow: "--name" and "-n" as patterns of a case. */
static void put_bash_pattern(const struct cli_option *option)
{
    (void)fputs("    ", stdout);
    if (option->letter != 0) {
        (void)printf("-%c|", option->letter);
    }
    (void)printf("--%s) ", option->name);
}

static void put_bash_argument(const struct cli_option *option)
{
    put_bash_pattern(option);
    if (describe_has_words(option)) {
        (void)printf("words='%s'%s ;;\n", option->values, is_list(option) ? "; list=1" : "");
    } else if (describe_is_directory(option)) {
        (void)fputs("kind='directory' ;;\n", stdout);
    } else {
        (void)printf("kind='%s' ;;\n", describe_is_file(option) ? "file" : "none");
    }
}

void describe_bash(void)
{
    (void)fputs(
        "# bash completion for compadvise; made from the table of its options.\n"
        "_compadvise()\n{\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} before='' words='' kind='' list='' head=''\n"
        "    [ \"$COMP_CWORD\" -gt 0 ] && before=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "    # \"--name=word\" comes as three words.\n"
        "    if [ \"$cur\" = = ]; then\n"
        "        cur=''\n"
        "    elif [ \"$before\" = = ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
        "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
        "    fi\n"
        "    COMPREPLY=()\n"
        "    case $before in\n",
        stdout);
    for (size_t i = 0; i < describe_count(); i++) {
        if (describe_option(i)->argument != NULL) {
            put_bash_argument(describe_option(i));
        }
    }
    (void)fputs("    *)\n"
                "        kind='file'\n"
                "        case $cur in\n"
                "        -*) words='",
                stdout);
    for (size_t i = 0; i < describe_count(); i++) {
        (void)printf("%s--%s", i > 0 ? " " : "", describe_option(i)->name);
    }
    (void)fputs("' ;;\n"
                "        esac ;;\n"
                "    esac\n"
                "    if [ -n \"$words\" ]; then\n"
                "        # Of a list the last item is completed.\n"
                "        [ -n \"$list\" ] && [ \"$cur\" != \"${cur%,*}\" ] && head=${cur%,*},\n"
                "        mapfile -t COMPREPLY < <(compgen -P \"$head\" -W \"$words\" -- "
                "\"${cur#\"$head\"}\")\n"
                "    elif [ \"$kind\" = file ]; then\n"
                "        compopt -o filenames 2>/dev/null\n"
                "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                "    elif [ \"$kind\" = directory ]; then\n"
                "        compopt -o filenames 2>/dev/null\n"
                "        mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")\n"
                "    fi\n"
                "}\n"
                "complete -F _compadvise compadvise\n",
                stdout);
}

/* --- zsh --- */

/* "[help]:ARGUMENT:action", with what _arguments takes for itself escaped. */
static void put_zsh_rest(const struct cli_option *option)
{
    static const char special[] = "[]:\\";
    (void)fputs("'[", stdout);
    put_help(option, special);
    (void)fputs("]", stdout);
    if (option->argument != NULL) {
        (void)printf(":%s:", option->argument);
        if (describe_is_file(option)) {
            (void)fputs("_files", stdout);
        } else if (describe_is_directory(option)) {
            (void)fputs("_files -/", stdout);
        } else if (describe_has_words(option) && is_list(option)) {
            (void)fputs("_sequence compadd - ", stdout);
            put_quoted(option->values, strlen(option->values), ":\\");
        } else if (describe_has_words(option)) {
            (void)fputs("(", stdout);
            put_quoted(option->values, strlen(option->values), ":\\");
            (void)fputs(")", stdout);
        } else {
            (void)fputs(" ", stdout);
        }
    }
    (void)fputs("' \\\n", stdout);
}

void describe_zsh(void)
{
    (void)fputs("#compdef compadvise\n"
                "# Made from the table of the options.\n"
                "_arguments -s -S \\\n",
                stdout);
    for (size_t i = 0; i < describe_count(); i++) {
        const struct cli_option *option = describe_option(i);
        const char *equals = option->argument != NULL ? "=" : "";
        const char *joined = option->argument != NULL ? "+" : "";
        (void)fputs("    ", stdout);
        if (option->letter != 0) {
            (void)printf("'*'{'-%c%s','--%s%s'}", option->letter, joined, option->name, equals);
        } else {
            (void)printf("'*--%s%s'", option->name, equals);
        }
        put_zsh_rest(option);
    }
    (void)fputs("    '*:path:_files'\n", stdout);
}

/* --- fish --- */

void describe_fish(void)
{
    (void)fputs("# fish completion for compadvise; made from the table of its options.\n",
                stdout);
    for (size_t i = 0; i < describe_count(); i++) {
        const struct cli_option *option = describe_option(i);
        (void)printf("complete -c compadvise -l %s", option->name);
        if (option->letter != 0) {
            (void)printf(" -s '%c'", option->letter);
        }
        if (describe_has_words(option)) {
            (void)printf(" -x -a '%s'", option->values);
        } else if (describe_is_directory(option)) {
            (void)fputs(" -x -a '(__fish_complete_directories)'", stdout);
        } else if (describe_is_file(option)) {
            (void)fputs(" -r -F", stdout);
        } else if (option->argument != NULL) {
            (void)fputs(" -x", stdout);
        }
        (void)fputs(" -d '", stdout);
        for (size_t at = 0; at < describe_first_sentence(option->help); at++) {
            if (option->help[at] == '\'' || option->help[at] == '\\') {
                (void)fputc('\\', stdout);
            }
            (void)fputc(option->help[at], stdout);
        }
        (void)fputs("'\n", stdout);
    }
}
