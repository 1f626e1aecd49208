# SPDX-License-Identifier: MIT
"""table.py - reader of a table of facts about a platform, one .tsv file

Rows, with tabs between the columns; "-" stands for nothing:
  counter  id symbol name group type units semantic equation maximum availability usage apis
           part low high
  set      symbol name uuid format apis [unit availability]
  regs     NOA|OA|FLEX|MERT availability address=value...      of the preceding set
  use      counter ids...                                      of the preceding set
Equations are in reverse Polish notation.
"""
from equations import from_postfix
from model import KINDS, Metric, Platform, Set


# Report formats that the tables identify by the names in the hardware's documentation
FORMATS = {"256B_GENERIC_NOA16": "A24u40_A14u32_B8_C8", "576B_PEC64LL": "PEC64u64",
           "192B_MPEC8LL_NOA16": "MPEC8u64_B8_C8", "128B_MPEC8_NOA16": "MPEC8u32_B8_C8",
           "128B_MERT_PEC8": "MERT_PEC8"}


def words(text):
    return frozenset() if text == "-" else frozenset(text.split())


def number(text):
    return None if text == "-" else float(text)


class Row:
    """A metric as the table states it, with its equations as text."""

    def __init__(self, fields):
        (self.id, self.symbol, self.name, self.group, self.type, self.units, self.semantic,
         self.equation, self.max, self.availability, self.usage, self.apis, self.part, self.low,
         self.high) = fields


def read(path, name):
    platform = Platform(name)
    rows = {}
    for line in open(path, encoding="utf-8"):
        fields = line.rstrip("\n").split("\t")
        kind = fields.pop(0)
        if kind == "counter":
            rows[fields[0]] = Row(fields)
        elif kind == "set":
            last = Set(fields[0])
            last.name = fields[1]
            last.uuid = None if fields[2] == "-" else fields[2]
            last.format = FORMATS.get(fields[3], fields[3])
            last.apis = words(fields[4])
            if len(fields) > 5:
                last.unit = fields[5]
            last.postfix_availability = fields[6] if len(fields) > 6 else "-"
            if last.postfix_availability != "-":
                last.availability = from_postfix(last.postfix_availability, ())
            last.rows, last.postfix_registers = [], []
            platform.sets.append(last)
        elif kind == "regs":
            registers = tuple(tuple(int(part, 16) for part in word.split("="))
                              for word in fields[2].split()) if len(fields) > 2 else ()
            condition = None if fields[1] == "-" else from_postfix(fields[1], ())
            last.registers.append((KINDS[fields[0]], condition, registers))
            last.postfix_registers.append((fields[0].lower(), fields[1], registers))
        elif kind == "use":
            last.rows += [rows[word] for word in fields[0].split()]
    correct(platform)
    for each in platform.sets:
        each.metrics = metrics(each.rows)
    return platform


def correct(platform):
    """Correct what the tables state wrongly, or by another name."""
    for row in (row for each in platform.sets for row in each.rows):
        if row.symbol.endswith("EuActivePerThread"):
            row.max = "-"  # The cycles of one thread are not a share.
        if row.symbol == "XVE_ACTIVE_CYCLES_HS":
            row.max = "$GpuCoreClocks $VectorEngineTotalCount UMUL"
        if row.availability == "1":
            row.availability = "-"
        # Use "subslice", which is the kernel's name in the topology.
        row.max = row.max.replace("$EuDualSubslicesTotalCount", "$EuSubslicesTotalCount")
    if platform.name == "cri":
        # With sets of unit OA, the vendor's library programs the events of the MERT unit as well.
        mert = next(each for each in platform.sets if each.unit == "OAMERT")
        for each in platform.sets:
            if each.unit == "OA":
                each.registers += mert.registers
                each.postfix_registers += mert.postfix_registers


def metrics(rows):
    types = {row.symbol for row in rows if row.type == "float"}
    result = []
    for row in rows:
        metric = Metric(row.symbol)
        metric.name, metric.group, metric.type = row.name, row.group, row.type
        metric.units, metric.semantic, metric.part = row.units, row.semantic, row.part
        metric.usage = frozenset(word.lower() for word in words(row.usage))
        metric.apis = words(row.apis)
        metric.low, metric.high = number(row.low), number(row.high)
        for field in ("equation", "max", "availability"):
            text = getattr(row, field)
            if text != "-":
                setattr(metric, field, from_postfix(text, types))
        result.append(metric)
    return result
