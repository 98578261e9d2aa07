# SPDX-License-Identifier: BSD-2-Clause
"""What applications write row by row: logs of many services, exports, dumps in versions."""
import itertools
import json

from material import MIB, Prose, sizes, vocabulary

HOURS = 3600


def clock(second):
    """A date and a time of day; every month has 28 days here."""
    day = second // 86400
    return "%d-%02d-%02d" % (2000 + day // 336, 1 + day // 28 % 12, 1 + day % 28), \
        "%02d:%02d:%02d" % (second // HOURS % 24, second // 60 % 60, second % 60)


class Service:
    """One program's log: its hosts, its users, its words. Every method makes an endless log."""

    def __init__(self, rng):
        self.rng = rng
        self.second = 600_000_000 + rng.below(100_000_000)
        self.words = vocabulary(rng, 300)
        self.hosts = ["%s%02d" % (self.words[i], i) for i in range(1 + rng.below(9))]
        self.paths = ["/%s/%s" % (self.words[a % 40], self.words[b % 300])
                      for a, b in zip(rng.shorts(60), rng.shorts(60))]

    def _tick(self, draw, slowest):
        self.second += draw % slowest
        return clock(self.second)

    def access(self):
        while True:
            d = self.rng.shorts(8)
            day, time = self._tick(d[0], 3)
            yield '10.%d.%d.%d - - [%sT%s] "GET %s?q=%d HTTP/1.1" %d %d "-" "agent/%d.%d"\n' % (
                d[1] % 4, d[2] % 16, d[3] & 255, day, time, self.paths[d[4] * d[4] % 60],
                d[5] % 900, (200, 200, 200, 200, 304, 404)[d[6] % 6], d[6] * (d[7] & 7), d[7] % 5,
                d[3] % 3)

    def system(self):
        texts = ("session opened for user %s", "session closed for user %s", "Started %s.service",
                 "%s: link is up", "Stopping %s...", "lease of %s renewed")
        while True:
            d = self.rng.shorts(4)
            day, time = self._tick(d[0], 40)
            yield "%s %s %s daemon[%d]: %s\n" % (
                day, time, self.hosts[d[1] % len(self.hosts)], 400 + d[2] % 30,
                texts[d[3] % 6] % self.words[d[2] % 25])

    def objects(self):
        while True:
            d = self.rng.shorts(6)
            day, time = self._tick(d[0], 2)
            yield json.dumps({"ts": "%sT%s.%03dZ" % (day, time, d[1] % 1000),
                              "level": ("info", "info", "debug", "warn")[d[2] & 3],
                              "trace": self.rng.take(8).hex(), "span": d[3],
                              "msg": self.words[d[4] % 30], "user": d[4] % 5000,
                              "ms": d[5] * (d[5] & 3) // 64}) + "\n"

    def traces(self):
        frames = ["\tat org.%s.%s(%s.java:%d)\n" % (a, b, a, i * 7) for i, (a, b)
                  in enumerate(zip(self.words[:90], self.words[90:180]))]
        while True:
            d = self.rng.shorts(4)
            day, time = self._tick(d[0], 600)
            yield "%s %s ERROR [worker-%d] %s: id %d\n" % (
                day, time, d[1] % 8, self.words[d[2] % 12], self.rng.below(1 << 40))
            start = d[2] % 12 * 5
            yield "".join(frames[start:start + 8 + d[3] % 22])

    def measures(self):
        values = [d * 3 for d in self.rng.shorts(12)]
        while True:
            d = self.rng.shorts(13)
            day, time = clock(self.second)
            self.second += 10
            values = [max(0, v + step % 201 - 100) for v, step in zip(values, d)]
            yield "%s %s cpu=%d.%02d mem=%d io=%d/%d net=%d/%d q=%d load=%d.%02d\n" % (
                day, time, values[0] // 100, values[0] % 100, values[1] * 4096, *values[2:7],
                values[7] // 100, values[7] % 100)

    def audit(self):
        while True:
            d = self.rng.shorts(7)
            self.second += d[0] % 5
            yield "type=CALL msg=audit(%d.%03d:%d): arch=c000003e syscall=%d success=%s exit=%d " \
                "pid=%d uid=%d comm=\"%s\" key=(null)\n" % (
                    self.second, d[1] % 1000, self.second * 3 + d[2] % 3, d[3] % 330,
                    "yes" if d[4] % 9 else "no", d[4] % 40, 2000 + d[5] % 4000, 1000 + d[6] % 4,
                    self.words[d[6] % 20])

    def progress(self):
        """The same words, a number that rises by one."""
        name = self.words[0]
        for i in itertools.count():
            yield "%s: worker %d of 8: item %08d done, none failed\n" % (name, i & 7, i)

    def idle(self):
        """The same line thousands of times: 1000:1."""
        line = "%s: nothing to do, waiting for %s\n" % tuple(self.words[:2])
        while True:
            yield line * (2000 + self.rng.below(20000))
            yield "%s: woken by signal %d\n" % (self.words[0], self.rng.below(32))


LOGS = (Service.access, Service.system, Service.objects, Service.traces, Service.measures,
        Service.audit, Service.progress, Service.idle)


def gathered(lines, size):
    parts = []
    have = 0
    while have < size:
        parts.append(next(lines))
        have += len(parts[-1])
    return "".join(parts).encode()[:size]


def make_services(out, rng, scale):
    for i, size in enumerate(sizes(rng, int(24 * MIB * scale), 128 << 10, 6 * MIB)):
        kind = LOGS[i % len(LOGS)]
        out.put("%s/%s.log.%d" % (("web", "host", "app")[i % 3], kind.__name__, i),
                gathered(kind(Service(rng)), size))


# Columns of an export: each takes the stream and a vocabulary and returns a function that makes
# the values of some rows, so that whatever is fixed for a column is drawn once.

def column_id(rng, _words):
    ids = itertools.count(rng.below(1 << 30), 1 + rng.below(3))
    return lambda rows: list(itertools.islice(ids, rows))


def column_count(rng, _words):
    bound = 2 << rng.below(15)
    return lambda rows: [d % bound for d in rng.shorts(rows)]


def column_price(rng, _words):
    """A walk, as sensors' and markets' values are."""
    state = [rng.below(1_000_000)]
    step = 3 << rng.below(10)

    def values(rows):
        walk = list(itertools.accumulate((d % step - step // 2 for d in rng.shorts(rows)),
                                         initial=state[0]))
        state[0] = walk[-1]
        return ["%d.%04d" % divmod(abs(v), 10000) for v in walk[1:]]
    return values


def column_noise(rng, _words):
    """Measured to more digits than mean anything."""
    return lambda rows: ["0.%05d%05d" % (a, b) for a, b in zip(rng.shorts(rows), rng.shorts(rows))]


def column_time(rng, _words):
    second = [500_000_000 + rng.below(200_000_000)]
    slowest = 2 << rng.below(10)

    def values(rows):
        times = list(itertools.accumulate((d % slowest for d in rng.shorts(rows)),
                                          initial=second[0]))
        second[0] = times[-1]
        return ["%sT%sZ" % clock(t) for t in times[1:]]
    return values


def column_category(rng, words):
    names = words[:2 + rng.below(40)]
    return lambda rows: [names[d * (d & 255) % len(names)] for d in rng.shorts(rows)]


def column_name(rng, words):
    count = len(words)
    return lambda rows: ["%s %s" % (words[a % count].title(), words[b % count].title())
                         for a, b in zip(rng.shorts(rows), rng.shorts(rows))]


def column_comment(rng, words):
    count = len(words)
    return lambda rows: [" ".join(words[i * (i & 127) % count] for i in rng.shorts(d % 12))
                         for d in rng.shorts(rows)]


def column_key(rng, _words):
    return lambda rows: [rng.take(16).hex() for _ in range(rows)]


def column_seldom(rng, words):
    return lambda rows: [words[d % 20] if d < 3000 else "" for d in rng.shorts(rows)]


def column_flag(rng, _words):
    return lambda rows: ["true" if d % 7 else "false" for d in rng.shorts(rows)]


COLUMNS = (column_id, column_count, column_price, column_noise, column_time, column_category,
           column_name, column_comment, column_key, column_seldom, column_flag)


def table_rows(rng):
    """Endless rows of one table, with the names of its columns before them."""
    words = vocabulary(rng, 800)
    kinds = [COLUMNS[d % len(COLUMNS)] for d in rng.shorts(3 + rng.below(9))]
    yield ["%s_%s" % (kind.__name__[7:], words[i]) for i, kind in enumerate(kinds)]
    columns = [kind(rng, words) for kind in kinds]
    while True:
        yield from zip(*[column(500) for column in columns])


def as_csv(rows, mark):
    for row in rows:
        yield mark.join(map(str, row)) + "\n"


def as_json(rows, indent):
    names = next(rows)
    for row in rows:
        yield json.dumps(dict(zip(names, row)), indent=indent) + ",\n"


def export(rng, layout, size):
    rows = table_rows(rng)
    lines = (as_csv(rows, ","), as_csv(rows, ";"), as_json(rows, None), as_json(rows, 2))[layout]
    return gathered(lines, size)


def make_exports(out, rng, scale):
    for i, size in enumerate(sizes(rng, int(24 * MIB * scale), 64 << 10, 6 * MIB)):
        layout = i % 4
        out.put("%d/export%03d.%s" % (2001 + i % 7, i, ("csv", "txt", "jsonl", "json")[layout]),
                export(rng, layout, size))


def dump_row(rng, number, names):
    d = rng.shorts(6)
    return b"(%d,'%s','%s',%d,%d.%02d,%s,'%d')" % (
        number, names[d[0]:d[0] + 6 + d[1] % 30].replace(b"\n", b" "), rng.take(4).hex().encode(),
        d[2] % 50, d[3], d[4] % 100, (b"NULL", b"1", b"0")[d[5] % 3],
        1_600_000_000 + number * 17 + d[5] % 17)


def dump_text(rows):
    return b"".join(b"INSERT INTO `orders` VALUES " + b",".join(rows[i:i + 100]) + b";\n"
                    for i in range(0, len(rows), 100))


def make_dumps(out, rng, scale):
    """Six nights: each has a tenth of its rows changed, in two stretches, and some new ones."""
    size = max(256 << 10, int(6 * MIB * scale))
    names = Prose(rng).text(rng, 1 << 17)
    rows = [dump_row(rng, number, names) for number in range(size // 85)]
    for night in range(6):
        out.put("night-%d.sql" % night, dump_text(rows))
        for _ in range(2):
            length = len(rows) // 20
            start = rng.below(len(rows) - length)
            for i in range(start, start + length):
                rows[i] = dump_row(rng, int(rows[i][1:rows[i].index(b",")]), names)
        rows += [dump_row(rng, len(rows) + i, names) for i in range(len(rows) // 100)]
