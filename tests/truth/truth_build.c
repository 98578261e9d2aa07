/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * truth/truth_build.c - truth_build TABLE JOBS PATH...: cuts all files below the paths as Borg does by
 * default, and compresses every unique chunk at every level, and its probes. Goes on where an earlier
 * run ended: rows are appended to TABLE.part, and TABLE is there when all are.
 */
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/array.h"
#include "base/clock.h"
#include "codec/codec.h"
#include "compadvise/chunker.h"
#include "index/index.h"
#include "truth/truth_table.h"

/* Of one unique chunk, where its bytes are. */
struct place {
    struct record_digest digest;
    uint32_t file;
    uint32_t bytes;
    uint64_t offset;
};

/* Filled by one thread, then read-only but for `next` and, under the lock, `out`. */
struct build {
    char **files;
    size_t file_count;
    size_t file_capacity;
    struct place *places;
    size_t place_count;
    size_t place_capacity;
    uint64_t unique_bytes;
    struct index *seen;
    struct cadv_level_list levels;
    atomic_size_t next;
    pthread_mutex_t lock;
    FILE *out;
    size_t done;
};

/* nftw() hands no context on. */
static struct build build;

static void fail(const char *what, const char *where)
{
    (void)fprintf(stderr, "truth_build: %s: %s\n", what, where);
    exit(3);
}

static int visit(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)where;
    if (kind == FTW_F && S_ISREG(info->st_mode) && info->st_size > 0) {
        char **files = array_reserve(build.files, &build.file_capacity, build.file_count + 1,
                                     sizeof *files);
        char *copy = strdup(path);
        if (files == NULL || copy == NULL) {
            fail("no memory", path);
        }
        build.files = files;
        files[build.file_count++] = copy;
    }
    return 0;
}

static void add_place(const uint8_t *data, size_t bytes, uint32_t file, uint64_t offset)
{
    XXH128_hash_t hash = XXH3_128bits(data, bytes);
    enum index_outcome outcome = index_insert(build.seen, hash.high64, hash.low64);
    if (outcome == INDEX_AGAIN) {
        return;
    }
    struct place *places = array_reserve(build.places, &build.place_capacity,
                                         build.place_count + 1, sizeof *places);
    if (outcome == INDEX_NOMEM || places == NULL) {
        fail("no memory", build.files[file]);
    }
    build.places = places;
    places[build.place_count++] = (struct place){.digest = {hash.high64, hash.low64},
                                                 .file = file,
                                                 .bytes = (uint32_t)bytes,
                                                 .offset = offset};
    build.unique_bytes += bytes;
}

static void cut_file(struct cadv_cutter *cutter, uint32_t file)
{
    struct stat info;
    int fd = open(build.files[file], O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0 || info.st_size <= 0) {
        fail("cannot read", build.files[file]);
    }
    size_t size = (size_t)info.st_size;
    uint8_t *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) {
        fail("cannot map", build.files[file]);
    }
    cadv_cutter_start(cutter);
    for (size_t at = 0; at < size;) {
        size_t bytes = cadv_cutter_next(cutter, data + at, size - at, true);
        add_place(data + at, bytes, file, at);
        at += bytes;
    }
    (void)munmap(data, size);
    (void)close(fd);
}

static int compare_places(const void *a, const void *b)
{
    const struct record_digest *first = &((const struct place *)a)->digest;
    const struct record_digest *second = &((const struct place *)b)->digest;
    if (first->high != second->high) {
        return first->high < second->high ? -1 : 1;
    }
    return (first->low > second->low) - (first->low < second->low);
}

static void find_chunks(char **paths, size_t count)
{
    struct cadv_chunker_params params;
    struct cadv_error err;
    build.seen = index_new();
    if (build.seen == NULL ||
        cadv_chunker_parse("buzhash,19,23,21,4095", &params, &err) != CADV_OK) {
        fail("no memory", "cutter");
    }
    struct cadv_cutter *cutter = cadv_cutter_new(&params);
    for (size_t i = 0; i < count; i++) {
        if (cutter == NULL || nftw(paths[i], visit, 32, FTW_PHYS) != 0) {
            fail("cannot walk", paths[i]);
        }
    }
    for (size_t file = 0; file < build.file_count; file++) {
        cut_file(cutter, (uint32_t)file);
    }
    cadv_cutter_free(cutter);
    index_free(build.seen);
    qsort(build.places, build.place_count, sizeof *build.places, compare_places);
}

/* Drops the places that `table` has rows of, which are a part of them in the same order or none. */
static void drop_known(const struct truth_table *table)
{
    size_t kept = 0;
    size_t row = 0;
    struct place *known = calloc(table->count + 1, sizeof *known);
    if (known == NULL) {
        fail("no memory", "known rows");
    }
    for (size_t i = 0; i < table->count; i++) {
        known[i].digest = table->rows[i].digest;
    }
    qsort(known, table->count, sizeof *known, compare_places);
    for (size_t i = 0; i < build.place_count; i++) {
        while (row < table->count && compare_places(&known[row], &build.places[i]) < 0) {
            row++;
        }
        if (row == table->count || compare_places(&known[row], &build.places[i]) != 0) {
            build.places[kept++] = build.places[i];
        }
    }
    free(known);
    build.place_count = kept;
}

/* Buffers of one thread. */
struct bench {
    uint8_t *data;
    size_t data_bytes;
    uint8_t *slices;
    uint8_t *out;
    size_t out_bytes;
};

#define CHUNK_MAX_BYTES ((size_t)8 * 1024 * 1024)
#define SLICES_MAX_BYTES ((size_t)256 * 1024)

static uint32_t compress_at(struct bench *bench, struct cadv_level level, const uint8_t *data,
                            size_t bytes, float *cpu_s)
{
    double start = clock_thread_cpu_s();
    size_t size = codec_get(level.codec)
                      ->compress(data, bytes, bench->out, bench->out_bytes, level.level);
    *cpu_s = (float)(clock_thread_cpu_s() - start);
    if (size == 0) {
        fail("no memory", "codec");
    }
    return (uint32_t)size;
}

/* Slice i lies in the middle of the i-th of equal parts. */
static size_t take_slices(struct bench *bench, uint32_t bytes, const struct truth_probe *probe)
{
    size_t wanted = (size_t)probe->slices * probe->slice_bytes;
    if (bytes <= wanted) {
        memcpy(bench->slices, bench->data, bytes);
        return bytes;
    }
    for (uint32_t i = 0; i < probe->slices; i++) {
        uint64_t middle = (uint64_t)bytes * (2 * i + 1) / (2 * probe->slices);
        memcpy(bench->slices + (size_t)i * probe->slice_bytes,
               bench->data + middle - probe->slice_bytes / 2, probe->slice_bytes);
    }
    return wanted;
}

/* What the slices come to, in bytes of the whole chunk. */
static uint32_t run_probe(struct bench *bench, uint32_t bytes, const struct truth_probe *probe,
                          float *cpu_s)
{
    size_t taken = take_slices(bench, bytes, probe);
    uint64_t size = compress_at(bench, probe->level, bench->slices, taken, cpu_s);
    return (uint32_t)(size * bytes / taken);
}

static void load(struct bench *bench, const struct place *place)
{
    const char *path = build.files[place->file];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : pread(fd, bench->data, place->bytes, (off_t)place->offset);
    if (got != (ssize_t)place->bytes) {
        fail("has changed", path);
    }
    (void)close(fd);
}

static void try_chunk(struct bench *bench, const struct place *place)
{
    struct truth_row row = {.digest = place->digest, .bytes = place->bytes};
    load(bench, place);
    for (size_t l = 0; l < TRUTH_LEVELS; l++) {
        row.raw_bytes[l] =
            compress_at(bench, build.levels.items[l], bench->data, place->bytes, &row.cpu_s[l]);
    }
    for (size_t p = 0; p < TRUTH_PROBES; p++) {
        row.probe_bytes[p] =
            run_probe(bench, place->bytes, &truth_probes[p], &row.probe_cpu_s[p]);
    }
    (void)pthread_mutex_lock(&build.lock);
    if (fwrite(&row, sizeof row, 1, build.out) != 1) {
        fail("cannot write", "table");
    }
    build.done++;
    if (build.done % 500 == 0) {
        (void)fprintf(stderr, "%zu of %zu chunks\n", build.done, build.place_count);
        (void)fflush(build.out);
    }
    (void)pthread_mutex_unlock(&build.lock);
}

static void *work(void *unused)
{
    (void)unused;
    struct bench bench = {.out_bytes = CHUNK_MAX_BYTES + CHUNK_MAX_BYTES / 64};
    bench.data = malloc(CHUNK_MAX_BYTES);
    bench.slices = malloc(SLICES_MAX_BYTES);
    bench.out = malloc(bench.out_bytes);
    if (bench.data == NULL || bench.slices == NULL || bench.out == NULL) {
        fail("no memory", "buffers");
    }
    for (;;) {
        size_t i = atomic_fetch_add(&build.next, 1);
        if (i >= build.place_count) {
            break;
        }
        try_chunk(&bench, &build.places[i]);
    }
    free(bench.data);
    free(bench.slices);
    free(bench.out);
    return NULL;
}

enum { JOBS_MAX = 64 };

static void run_jobs(size_t jobs)
{
    pthread_t threads[JOBS_MAX];
    for (size_t i = 0; i < jobs; i++) {
        if (pthread_create(&threads[i], NULL, work, NULL) != 0) {
            fail("no thread", "jobs");
        }
    }
    for (size_t i = 0; i < jobs; i++) {
        (void)pthread_join(threads[i], NULL);
    }
}

/* Opens TABLE.part behind its last whole row, and drops what it has. */
static void open_part(const char *path)
{
    struct truth_table table = {0};
    bool is_there = truth_table_read(&table, path);
    build.out = fopen(path, is_there ? "r+b" : "wb");
    if (build.out == NULL || (!is_there && !truth_table_begin(build.out))) {
        fail("cannot write", path);
    }
    if (is_there) {
        char line[512];
        bool is_placed =
            fgets(line, sizeof line, build.out) != NULL &&
            fseek(build.out, (long)(table.count * sizeof(struct truth_row)), SEEK_CUR) == 0;
        if (!is_placed) {
            fail("cannot go on with", path);
        }
        drop_known(&table);
    }
    truth_table_fini(&table);
}

int main(int argc, char **argv)
{
    if (argc < 4 || strtoul(argv[2], NULL, 10) < 1 || strtoul(argv[2], NULL, 10) > JOBS_MAX) {
        (void)fprintf(stderr, "usage: truth_build TABLE JOBS PATH...\n");
        return 2;
    }
    char part[4096];
    (void)snprintf(part, sizeof part, "%s.part", argv[1]);
    truth_levels(&build.levels);
    (void)pthread_mutex_init(&build.lock, NULL);
    find_chunks(argv + 3, (size_t)argc - 3);
    (void)fprintf(stderr, "%zu files, %zu unique chunks, %.1f MB\n", build.file_count,
                  build.place_count, (double)build.unique_bytes / 1e6);
    open_part(part);
    run_jobs(strtoul(argv[2], NULL, 10));
    if (fclose(build.out) != 0 || rename(part, argv[1]) != 0) {
        fail("cannot write", argv[1]);
    }
    for (size_t i = 0; i < build.file_count; i++) {
        free(build.files[i]);
    }
    free(build.files);
    free(build.places);
    return 0;
}
