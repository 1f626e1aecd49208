#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""facts.py TABLES - write platforms.facts and pci_ids.facts in lib/tests from tables of facts

TABLES is a directory with one PLATFORM.tsv for each platform (table.py describes the format), and
pci_ids.tsv: columns id, name of the kernel or "-", four others, platform. Run from the top of the
tree. Registers, equations, maxima, conditions, units, names and usage are the
tables'; groups, APIs, names of sets, report formats and the order of metrics, which the tables do
not state alike, are those of lib/metrics.
"""
import os
import sys

import language
import table
from equations import from_postfix
from compare import Comparison, same_name
from emit import APIS

OUTPUT = "lib/tests/platforms.facts"
PCI_OUTPUT = "lib/tests/pci_ids.facts"


def known_texts():
    """The present file's equations: (platform, unit, set, metric): text, by kind"""
    equations, metrics, found, platform, last = ["-"], [None], {}, None, None
    for line in open(OUTPUT, encoding="utf-8"):
        word, _, rest = line.rstrip("\n").partition(" ")
        fields = rest.split("\t")
        if word == "equation":
            equations.append(rest)
        elif word == "metric":
            metrics.append((fields[0], [equations[int(field)] for field in fields[3:6]]))
        elif word == "platform":
            platform = rest
        elif word == "set":
            last = (platform, fields[5], fields[0])
        elif word == "use":
            for part in rest.split():
                first, _, end = part.partition("-")
                for number in range(int(first), int(end or first) + 1):
                    symbol, texts = metrics[number]
                    found.setdefault((*last, symbol), texts)
    return found


def keep_texts(name, facts, known):
    """Keep the text of equations that mean the same: libi915_perf_test depends on the operators."""
    for each in facts.sets:
        types = {row.symbol for row in each.rows if row.type == "float"}
        for row in each.rows:
            old = known.get((name, each.unit, each.symbol, row.symbol), ["-"] * 3)
            for field, text in zip(("equation", "max", "availability"), old):
                new = " ".join(getattr(row, field).split())
                if "-" not in (text, new) and \
                        from_postfix(text, types) == from_postfix(new, types):
                    new = text
                setattr(row, field, new)


def fnv(registers):
    value = 0xcbf29ce484222325
    for pair in registers:
        for word in pair:
            for shift in (0, 8, 16, 24):
                value = (value ^ (word >> shift & 255)) * 0x100000001b3 & (1 << 64) - 1
    return value


class Writer:
    """Numbers equations, kinds and metrics; each is written once."""

    def __init__(self, file):
        self.file = file
        self.equations, self.kinds, self.metrics = {"-": 0}, {}, {}

    def number(self, known, word, key, text):
        if key not in known:
            known[key] = len(known) + (known is not self.equations)
            print(f"{word} {text}", file=self.file)
        return known[key]

    def equation(self, text):
        return self.number(self.equations, "equation", text, text)

    def metric(self, row, own):
        apis = " ".join(api for api in APIS if api in own.apis) or "-"
        kind = "\t".join((row.type, row.units, row.semantic, row.usage, apis, row.part, row.low,
                          row.high, own.group))
        number = self.number(self.kinds, "kind", kind, kind)
        name = own.name if same_name(own.name, row.name) else row.name
        text = "\t".join((row.symbol, name, str(number), str(self.equation(row.equation)),
                          str(self.equation(row.max)), str(self.equation(row.availability))))
        return self.number(self.metrics, "metric", text, text)

    def platform(self, name, pairs):
        sets = []
        for own, fact in pairs:
            rows = {row.symbol: row for row in fact.rows}
            metrics = [self.metric(rows[metric.symbol], metric) for metric in own.metrics
                       if metric.symbol in rows]
            lists = [(word, self.equation(condition), registers)
                     for word, condition, registers in fact.postfix_registers if registers]
            sets.append((own, fact, self.equation(fact.postfix_availability), metrics, lists))
        print(f"platform {name}", file=self.file)
        for own, fact, availability, metrics, lists in sets:
            apis = " ".join(api for api in APIS if api in own.apis) or "-"
            print("set " + "\t".join((fact.symbol, own.name, fact.uuid or "-", own.format, apis,
                                      fact.unit, str(availability))), file=self.file)
            for word, condition, registers in lists:
                print(f"{word} {condition} {len(registers)} {fnv(registers):016x}",
                      file=self.file)
            print("use " + " ".join(ranges(metrics)), file=self.file)


def ranges(numbers):
    """1-3 7 for 1 2 3 7"""
    first = last = None
    for number in numbers + [None]:
        if None not in (first, number) and number == last + 1:
            last = number
            continue
        if first is not None:
            yield f"{first}-{last}" if last > first else str(first)
        first = last = number


def head(path):
    """The comment of the present file, up to its first statement"""
    lines = []
    for line in open(path, encoding="utf-8"):
        if not line.startswith("#"):
            return lines
        lines.append(line)
    return lines


def write_pci_ids(path):
    """The ids that Linux knows: id, the kernel's name of the group, platform"""
    lines = head(PCI_OUTPUT)
    for line in open(path, encoding="utf-8"):
        columns = line.rstrip("\n").split("\t")
        if not line.startswith("#") and columns[1] != "-":
            lines.append(f"{columns[0]} {columns[1]} {columns[6]}\n")
    with open(PCI_OUTPUT, "w", encoding="utf-8") as file:
        file.writelines(lines)


def main(arguments):
    if len(arguments) != 1:
        sys.stderr.write(__doc__)
        return 2
    lines, known = head(OUTPUT), known_texts()
    with open(OUTPUT + ".new", "w", encoding="utf-8") as file:
        file.writelines(lines)
        writer = Writer(file)
        for name in sorted(name[:-3] for name in os.listdir("lib/metrics") if
                           name.endswith(".oa")):
            facts = table.read(f"{arguments[0]}/{name}.tsv", name)
            keep_texts(name, facts, known)
            platform, _ = language.read(f"lib/metrics/{name}.oa")
            comparison = Comparison(name)
            writer.platform(name, list(comparison.pair(platform.sets, facts.sets)))
            for line in comparison.lines:
                sys.stderr.write(f"{name}: {line}\n")
    os.replace(OUTPUT + ".new", OUTPUT)
    write_pci_ids(f"{arguments[0]}/pci_ids.tsv")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
