#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py TABLES [-v] [PLATFORM...] - compare lib/metrics with tables of facts

TABLES is a directory with one PLATFORM.tsv for each platform (table.py describes the format). Run
from the top of the tree. Registers are compared as they take effect on random GPUs, equations,
maxima and conditions by value on random reports. Prints the number of differences of each kind and
platform, with -v each difference. The exit status is 1 if there are any.
"""
import os
import random
import re
import sys

import language
import table
from equations import evaluate, to_text

ROUNDS = 60
COLUMNS = ("sets", "UUIDs", "registers", "metrics", "equations", "maxima", "conditions", "units",
           "other")


class Gpu:
    """Random constants and counters, the same for both sides"""

    def __init__(self, number):
        self.seed = f"gpu {number}"
        self.made = {}

    def random(self, key):
        return random.Random(f"{self.seed} {key}")

    def constant(self, name):
        source = self.random(name)
        if name == "QueryMode":
            return source.randrange(2)
        if name.endswith("Mask"):
            return source.randrange(1, 1 << source.choice([1, 2, 3, 6, 16]))
        if name.startswith("Gt"):
            return source.randrange(2)
        if name == "SkuRevisionId":
            return source.randrange(9)
        if "Frequency" in name:
            return source.randrange(10000000, 2000000000)
        return source.randrange(1, 100)

    def value(self, tree):
        if tree not in self.made:
            if tree[0] == "name":
                self.made[tree] = self.constant(tree[1])
            elif tree == ("word", "QueryMode"):
                self.made[tree] = self.constant("QueryMode")
            else:
                # Test small numbers as well: with large ones, the effect of a truncated fraction is
                # invisible.
                source = self.random(tree)
                self.made[tree] = source.randrange(1 << source.choice([3, 6, 16, 30]))
        return self.made[tree]

    def evaluate(self, tree, metrics):
        """The value of a tree; metrics: equations of those it may use."""
        def values(leaf):
            if leaf[0] == "name" and leaf[1] in metrics:
                return self.evaluate(metrics[leaf[1]], metrics)
            return self.value(leaf)
        return evaluate(tree, values)


GPUS = [Gpu(number) for number in range(ROUNDS)]


def near(x, y):
    return x == y or abs(x - y) <= 1e-9 * max(abs(x), abs(y))


def same_value(one, two, metrics_one, metrics_two):
    if one == two:  # metrics that they use are compared themselves
        return True
    if one is None or two is None:
        return False
    return all(near(gpu.evaluate(one, metrics_one), gpu.evaluate(two, metrics_two))
                              for gpu in GPUS)


def same_condition(one, two):
    def holds(condition, gpu):
        return condition is None or bool(gpu.evaluate(condition, {}))
    return one == two or all(holds(one, gpu) == holds(two, gpu) for gpu in GPUS)


def same_name(one, two):
    """Whether names differ in letter case, spaces and underscores only"""
    return one == two or re.sub("[ _]", "", one).lower() == re.sub("[ _]", "", two).lower()


def in_effect(lists, gpu):
    found = {}
    for kind, condition, registers in lists:
        if condition is None or gpu.evaluate(condition, {}):
            found.setdefault(kind, []).extend(registers)
    return found


def text(tree):
    return "-" if tree is None else to_text(tree)


def equations(metrics):
    return {metric.symbol: metric.equation for metric in metrics}


class Comparison:
    def __init__(self, name):
        self.name = name
        self.counts = dict.fromkeys(COLUMNS, 0)
        self.lines = []

    def differ(self, kind, line):
        self.counts[kind] += 1
        self.lines.append(f"{kind}: {line}")

    def pair(self, ours, facts):
        """Pairs of sets of the same unit and symbol, best with the same condition"""
        rest = list(ours)
        for fact in facts:
            alike = [own for own in rest if (own.unit, own.symbol) == (fact.unit, fact.symbol)]
            alike.sort(key=lambda own: not same_condition(own.availability, fact.availability))
            if alike:
                rest.remove(alike[0])
                yield alike[0], fact
            else:
                self.differ("sets", f"{fact.unit}/{fact.symbol} is missing")
        for own in rest:
            self.differ("sets", f"{own.unit}/{own.symbol} is not in the table")

    def compare_set(self, own, fact):
        name = f"{own.unit}/{own.symbol}"
        if fact.uuid and own.uuid != fact.uuid:
            self.differ("UUIDs", f"{name}: {own.uuid}, table {fact.uuid}")
        if not same_condition(own.availability, fact.availability):
            self.differ("conditions", f"{name}: {text(own.availability)}, table "
                        f"{text(fact.availability)}")
        for field in ("name", "format"):
            if getattr(own, field) != getattr(fact, field) and getattr(fact, field) != "-":
                self.differ("other", f"{name} {field}: {getattr(own, field)}, table "
                            f"{getattr(fact, field)}")
        self.compare_registers(name, own, fact)
        self.compare_metrics(name, own.metrics, fact.metrics)

    def compare_registers(self, name, own, fact):
        for gpu in GPUS:
            one, two = in_effect(own.registers, gpu), in_effect(fact.registers, gpu)
            for kind in sorted(set(one) | set(two)):
                a, b = one.get(kind, []), two.get(kind, [])
                if a != b:
                    same = len(set(a) & set(b))
                    self.differ("registers", f"{name} {kind}: {len(a)}, table {len(b)}, "
                                f"{same} in both")
                    return

    def compare_metrics(self, name, own, fact):
        ours = {metric.symbol: metric for metric in own}
        facts = {metric.symbol: metric for metric in fact}
        for symbol in sorted(set(ours) ^ set(facts)):
            self.differ("metrics", f"{name} {symbol}: "
                        f"{'not in the table' if symbol in ours else 'missing'}")
        for symbol in (symbol for symbol in facts if symbol in ours):
            self.compare_metric(f"{name} {symbol}", ours[symbol], facts[symbol], equations(own),
                                equations(fact))

    def compare_metric(self, name, own, fact, own_equations, fact_equations):
        def show(field):
            return f"{name}: {text(getattr(own, field))}, table {text(getattr(fact, field))}"
        if not same_value(own.equation, fact.equation, own_equations, fact_equations):
            self.differ("equations", show("equation"))
        if not same_value(own.max, fact.max, own_equations, fact_equations):
            self.differ("maxima", show("max"))
        if not same_condition(own.availability, fact.availability):
            self.differ("conditions", show("availability"))
        for field in ("type", "units", "semantic"):
            if getattr(own, field) != getattr(fact, field):
                self.differ("units", f"{name} {field}: {getattr(own, field)}, table "
                            f"{getattr(fact, field)}")
        if not same_name(own.name, fact.name):
            self.differ("other", f"{name} name: {own.name}, table {fact.name}")
        for field in ("usage", "part", "low", "high"):
            if getattr(own, field) != getattr(fact, field):
                self.differ("other", f"{name} {field}: {getattr(own, field)}, table "
                            f"{getattr(fact, field)}")


def main(arguments):
    verbose = "-v" in arguments
    arguments = [argument for argument in arguments if argument != "-v"]
    if not arguments:
        sys.stderr.write(__doc__)
        return 2
    directory = arguments[0]
    names = arguments[1:] or sorted(name[:-4] for name in os.listdir(directory)
                                    if os.path.exists(f"lib/metrics/{name[:-4]}.oa"))
    total = 0
    print(f"{'platform':10}{'sets':>6}" + "".join(f"{column:>11}" for column in COLUMNS))
    for name in names:
        platform, _ = language.read(f"lib/metrics/{name}.oa")
        facts = table.read(f"{directory}/{name}.tsv", name)
        comparison = Comparison(name)
        for own, fact in comparison.pair(platform.sets, facts.sets):
            comparison.compare_set(own, fact)
        total += sum(comparison.counts.values())
        print(f"{name:10}{len(platform.sets):6}" +
              "".join(f"{comparison.counts[column]:11}" for column in COLUMNS))
        if verbose:
            for line in comparison.lines:
                print(f"  {line}")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
