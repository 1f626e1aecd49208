#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""emit.py TABLES SHARED PLATFORM... - bring lib/metrics into agreement with tables of facts

Rewrites the sets of lib/metrics/PLATFORM.oa that differ from TABLES/PLATFORM.tsv, adds those that
are missing and removes those that the table does not have. Sets and lists of registers that are the
same on several of the platforms become templates and named lists in lib/metrics/shared/SHARED.oa.
Metrics that no file defines are added there; their descriptions are to be written. Run from the top
of the tree, then review the result.
"""
import re
import sys
import uuid

import compare
import language
import table
from equations import to_text

WIDTH = 116
APIS = ("VK", "OGL", "OGL4", "OCL", "MEDIA", "IO", "BB")
USAGES = ("tier1", "tier2", "tier3", "tier4", "overview", "indicate", "correlate", "system",
          "frame", "batch", "draw", "glassjaw")


def width(line):
    return len(line.expandtabs(8))


def flow(words, indent):
    """Words in lines of at most WIDTH columns"""
    lines, line = [], "\t" * indent
    for word in words:
        if line.strip() and width(line) + len(word) + 1 > WIDTH:
            lines.append(line)
            line = "\t" * indent
        line += (" " if line.strip() else "") + word
    return lines + [line] if line.strip() else lines


def ordered(words, order):
    return " ".join(word for word in order if word in words)


def register_lines(registers, indent):
    """address=value ...; writes in a row to the same register share its address."""
    words, last = [], None
    for address, value in registers:
        if address == last:
            words[-1].append(f"{value:08x}")
        else:
            words.append([f"{address:05x}={value:08x}"])
        last = address
    lines, line = [], "\t" * indent
    for group in words:
        for i, word in enumerate(group):
            word += "," if i + 1 < len(group) else ""
            glue = "" if i else "  "
            if line.strip() and width(line + glue + word) > WIDTH:
                lines.append(line)
                line, glue = "\t" * indent, ""
            line += (glue if line.strip() else "") + word
    return lines + [line] if line.strip() else lines


def find_block(text, start):
    """The end of the statement at start, whose braces may be nested."""
    depth = 0
    for match in re.compile(r'"[^"\n]*"|#[^\n]*|[{}]').finditer(text, start):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if not depth:
                end = text.index("\n", match.end()) + 1
                return end
    raise ValueError(text[start:start + 80])


class Family:
    def __init__(self, tables, shared, platforms):
        self.tables, self.shared_path = tables, f"lib/metrics/shared/{shared}.oa"
        self.shared = language.Reader()
        self.shared.open(self.shared_path)
        self.names = platforms
        self.paths = {name: f"lib/metrics/{name}.oa" for name in platforms}
        self.platforms, self.readers, self.facts = {}, {}, {}
        for name in platforms:
            self.platforms[name], self.readers[name] = language.read(self.paths[name])
            self.facts[name] = table.read(f"{tables}/{name}.tsv", name)
        self.named = {registers: name for name, registers in self.shared.registers.items()}
        self.new_registers, self.new_templates, self.new_metrics = [], [], {}
        for name in platforms:
            if not self.platforms[name].sets:
                self.common_changes(name)
        self.taken = set(self.shared.templates) | set(self.shared.registers)

    # ---- what differs ----

    def differing(self, name):
        """Pairs of a set of the table and the one that it replaces, or None"""
        comparison = compare.Comparison(name)
        pairs = {id(fact): own for own, fact in
                 comparison.pair(self.platforms[name].sets, self.facts[name].sets)}
        result = []
        for fact in self.facts[name].sets:
            own = pairs.get(id(fact))
            each = compare.Comparison(name)
            if own:
                each.compare_set(own, fact)
                for kind in ("UUIDs", "other", "units"):
                    each.counts[kind] = 0
            if not own or any(each.counts.values()):
                result.append((fact, own))
        return result, [own for own in self.platforms[name].sets
                        if own not in pairs.values()]

    # ---- metrics ----

    def base(self, reader, symbol):
        if symbol in reader.metrics:
            return reader.make_metric(symbol, reader.metrics[symbol])
        return self.new_metrics.get(symbol)

    def clauses(self, metric, base):
        """Clauses that turn the base into the metric of the table"""
        found = []
        if not compare.same_name(metric.name, base.name):
            found.append(f'name "{self.tidy(metric.name)}"')
        if not compare.same_value(metric.equation, base.equation, {}, {}):
            found.append("= " + to_text(metric.equation))
        if not compare.same_value(metric.max, base.max, {}, {}):
            found.append("max " + (to_text(metric.max) if metric.max else "none"))
        if not compare.same_condition(metric.availability, base.availability):
            found.append("if " + (to_text(metric.availability) if metric.availability else
                                  "always"))
        if (metric.type, metric.units, metric.semantic) != (base.type, base.units, base.semantic):
            found.append(self.value(metric))
        if metric.usage != base.usage:
            found.append("use " + ordered(metric.usage, USAGES))
        if metric.part != base.part:
            found.append("of " + self.words(metric.part))
        if metric.low is not None and (metric.low, metric.high) != (base.low, base.high):
            found.append(f"watermarks {metric.low:g} {metric.high:g}")
        return found

    @staticmethod
    def tidy(name):
        return " ".join(name.replace("_", " ").split()) if " _" in name else name

    @staticmethod
    def words(text):
        return f'"{text}"' if " " in text else text

    def value(self, metric):
        return f"{metric.type} {self.words(metric.units)} {metric.semantic}"

    def add_metric(self, metric):
        if metric.symbol not in self.new_metrics:
            self.new_metrics[metric.symbol] = metric

    def metric_lists(self, fact, users):
        """Lines of a set's lists; users: platforms that share them"""
        readers = [self.readers[name] for name in users]
        entries = []
        for metric in fact.metrics:
            if any(self.base(reader, metric.symbol) is None for reader in readers):
                self.add_metric(metric)
            needed = []
            for reader in readers:
                for clause in self.clauses(metric, self.base(reader, metric.symbol)):
                    if clause not in needed:
                        needed.append(clause)
            entries.append((metric.symbol, needed))
        return self.fold_bundles(entries)

    def fold_bundles(self, entries):
        items, changes, i = [], [], 0
        bundles = sorted(((name, [entry.symbol for entry in bundle])
                          for name, bundle in self.shared.bundles.items()),
                         key=lambda item: -len(item[1]))
        plain = {name: all(not set(entry.clauses) - {"apis"} for entry in bundle)
                 for name, bundle in self.shared.bundles.items()}
        while i < len(entries):
            for name, symbols in bundles:
                run = entries[i:i + len(symbols)]
                changed = [entry for entry in run if entry[1]]
                if plain[name] and [entry[0] for entry in run] == symbols and \
                        len(changed) * 3 <= len(symbols):
                    items.append(("bundle " + name, []))
                    changes += changed
                    i += len(symbols)
                    break
            else:
                items.append(entries[i])
                i += 1
        lines = self.list_lines("metrics", items)
        if changes:
            lines += self.list_lines("change", changes)
        return lines

    @staticmethod
    def list_lines(word, items):
        inner, run = [], []
        for symbol, clauses in items:
            if not clauses:
                run += symbol.split(" ") if symbol.startswith("bundle") else [symbol]
                continue
            inner += flow(run, 2)
            run = []
            line = f"\t\t{symbol} " + "   ".join(clauses)
            if width(line) > WIDTH:
                inner.append(f"\t\t{symbol}")
                inner += [f"\t\t\t{clause}" for clause in clauses]
            else:
                inner.append(line)
        inner += flow(run, 2)
        if len(inner) == 1 and width(inner[0]) + len(word) + 6 <= WIDTH:
            return [f"\t{word} {{ {inner[0].strip()} }}"]
        return [f"\t{word} {{"] + inner + ["\t}"]

    def common_changes(self, name):
        """Change the metrics of a new platform to what most of its sets have."""
        counts, order = {}, []
        for fact in self.facts[name].sets:
            for metric in fact.metrics:
                key = tuple(str(getattr(metric, field)) for field in metric.FIELDS
                            if field not in ("group", "apis", "name"))
                if metric.symbol not in counts:
                    counts[metric.symbol] = {}
                    order.append(metric.symbol)
                number, _ = counts[metric.symbol].get(key, (0, None))
                counts[metric.symbol][key] = number + 1, metric
        groups = {}
        for symbol in order:
            metric = max(counts[symbol].values(), key=lambda item: item[0])[1]
            base = self.base(self.shared, symbol)
            if base is None:
                self.add_metric(metric)
                continue
            clauses = self.clauses(metric, base)
            if clauses:
                groups.setdefault(tuple(clauses), []).append(symbol)
                reader = self.readers[name]
                reader.metrics[symbol] = dict(reader.metrics.get(symbol) or {
                    field: getattr(base, field) for field in metric.FIELDS})
                for field in metric.FIELDS:
                    if field not in ("group", "apis", "name") or \
                            (field == "name" and not compare.same_name(metric.name, base.name)):
                        reader.metrics[symbol][field] = getattr(metric, field)
        lines = []
        for clauses, symbols in groups.items():
            line = "change " + " ".join(symbols) + " " + "   ".join(clauses)
            if width(line) <= WIDTH:
                lines.append(line)
                continue
            flowed = flow(["change"] + symbols, 0)
            lines += [flowed[0]] + ["\t" + more for more in flowed[1:]]
            lines += ["\t" + clause for clause in clauses]
        if lines:
            with open(self.paths[name], "a", encoding="utf-8") as file:
                file.write(self.header("metrics that count otherwise here") + "\n" +
                           "\n".join(lines) + "\n" + self.header("the sets"))

    # ---- registers ----

    def register_list(self, kind, condition, registers):
        head = f"\t{kind}" + (f" if {to_text(condition)}" if condition else "")
        if registers in self.named:
            return [f"{head} {self.named[registers]}"]
        if self.uses.get(registers, 0) > 1:
            name = self.name_registers(kind)
            self.named[registers] = name
            self.new_registers += [f"registers {name} {{"] + register_lines(registers, 1) + \
                ["}", ""]
            return [f"{head} {name}"]
        return [f"{head} {{"] + register_lines(registers, 2) + ["\t}"]

    def name_registers(self, kind):
        name = self.current.symbol + kind.capitalize()
        number = 1
        while name in self.taken:
            number += 1
            name = f"{self.current.symbol}{kind.capitalize()}_{number}"
        self.taken.add(name)
        return name

    # ---- sets ----

    def apis(self, fact, own):
        if own:
            return own.apis
        known = fact.apis
        if self.shared_path.endswith(("gen8.oa", "gen9.oa", "gen11.oa")):
            known = known | {"BB"}
        return known

    def body(self, fact, own, users):
        self.current = fact
        lines = [f"\tformat {own.format if own else self.format(fact)}",
                 f"\ton {ordered(self.apis(fact, own), APIS)}"]
        if fact.unit != "OA":
            lines.append(f"\tunit {fact.unit}")
        if fact.availability:
            lines.append(f"\tif {to_text(fact.availability)}")
        lines.append("")
        lines += self.metric_lists(fact, users)
        for kind in ("mux", "boolean", "flex"):
            for other, condition, registers in fact.registers:
                if other == kind and registers:
                    lines += [""] + self.register_list(kind, condition, registers)
        return lines

    def format(self, fact):
        if fact.format != "-":
            return fact.format
        known = {own.format for own in next(iter(self.platforms.values())).sets}
        return known.pop()

    @staticmethod
    def content(fact):
        return (fact.symbol, fact.unit, str(fact.availability), tuple(
            (kind, str(condition), registers) for kind, condition, registers in fact.registers),
                tuple((m.symbol, m.name, str(m.equation), str(m.max), str(m.availability), m.usage,
                       m.part, m.type, m.units, m.semantic) for m in fact.metrics))

    def template_name(self, fact, first):
        for name in (fact.symbol, fact.symbol + first.capitalize()):
            if name not in self.taken:
                break
        number = 1
        while name in self.taken:
            number += 1
            name = f"{fact.symbol}_{number}"
        self.taken.add(name)
        return name

    def uuid_line(self, fact, own, changed):
        if fact.uuid:
            return f'\tuuid "{fact.uuid}"'
        if own and not changed:
            return f'\tuuid "{own.uuid}"' + ("   # our own" if own.uuid in self.own_uuids else "")
        return f'\tuuid "{uuid.uuid4()}"   # our own'

    def run(self):
        self.own_uuids = set()
        for path in self.paths.values():
            self.own_uuids |= set(re.findall(r'uuid "([^"]*)"\s*}?\s*# our own',
                                             open(path, encoding="utf-8").read()))
        changed, removed, groups = {}, {}, {}
        for name in self.names:
            changed[name], removed[name] = self.differing(name)
            for fact, own in changed[name]:
                groups.setdefault(self.content(fact), []).append((name, fact, own))
        self.uses = {}
        for members in groups.values():
            for _, _, registers in members[0][1].registers:
                self.uses[registers] = self.uses.get(registers, 0) + 1
        self.drop_templates(changed, removed)
        templates = {}
        for content, members in groups.items():
            if len(members) > 1:
                name, fact, own = members[0]
                template = self.template_name(fact, name)
                own = next((m[2] for m in members if m[2]), None)
                self.new_templates += [f'template {template} "{fact.name}" {{'] + \
                    self.body(fact, own, [m[0] for m in members]) + ["}", ""]
                templates[content] = template
        for name in self.names:
            self.rewrite(name, changed[name], removed[name], templates)
        self.rewrite_shared()

    def drop_templates(self, changed, removed):
        """Forget templates whose last user goes."""
        used, gone = set(), set()
        for name in self.names:
            going = {id(own) for _, own in changed[name]} | {id(own) for own in removed[name]}
            for own in self.platforms[name].sets:
                (gone if id(own) in going else used).add(own.like)
        self.gone = {name for name in gone - used if name in self.shared.templates}
        # Keep a template that is the base of another one.
        text = open(self.shared_path, encoding="utf-8").read()
        for name in list(self.gone):
            likes = set(re.findall(r"template (\w+)[^{]* like " + name + r"\b", text))
            if likes - self.gone:
                self.gone.discard(name)
        self.taken -= self.gone

    def rewrite(self, name, changed, removed, templates):
        path = self.paths[name]
        text = open(path, encoding="utf-8").read()
        for own in removed:
            start = self.find_set(text, own)
            text = text[:start] + text[find_block(text, start):].lstrip("\n")
        previous = last = None  # last: set at the end of the file
        by_fact = {id(fact): own for fact, own in changed}
        for fact in self.facts[name].sets:
            if id(fact) in by_fact:
                own = by_fact[id(fact)]
                content = self.content(fact)
                regs = own and compare.Comparison(name)
                if own:
                    regs.compare_registers("", own, fact)
                line = self.uuid_line(fact, own, own and regs.counts["registers"])
                if content in templates:
                    block = [f"set {fact.symbol} like {templates[content]} {{", line, "}"]
                    if own and own.name != fact.name:
                        block[0] = f'set {fact.symbol} "{own.name}" like {templates[content]} {{'
                else:
                    title = own.name if own else fact.name
                    block = [f'set {fact.symbol} "{title}" {{', line] + \
                        self.body(fact, own, [name]) + ["}"]
                block = "\n".join(block) + "\n"
                if own:
                    start = self.find_set(text, own)
                    text = text[:start] + block + text[find_block(text, start):]
                elif previous and previous is not last:
                    start = find_block(text, self.find_set(text, previous))
                    text = text[:start] + "\n" + block + text[start:]
                else:
                    text += "\n" + block
                if not own and (not previous or previous is last):
                    last = fact
            previous = fact
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    @staticmethod
    def find_set(text, each):
        """Position of a set; those of one symbol follow each other as in the table."""
        for match in re.finditer(rf"^set {each.symbol}\b[^{{]*{{", text, re.M):
            block = text[match.start():find_block(text, match.start())]
            if each.uuid and each.uuid in block:
                return match.start()
        return re.search(rf"^set {each.symbol}\b", text, re.M).start()

    def rewrite_shared(self):
        text = open(self.shared_path, encoding="utf-8").read()
        for name in self.gone:
            start = re.search(rf"^template {name}\b", text, re.M).start()
            text = text[:start] + text[find_block(text, start):].lstrip("\n")
        if self.new_metrics:
            block = self.metric_statements()
            at = re.search(r"^(# ---- parts of lists|bundle |# ---- lists of reg|registers |"
                           r"template )", text, re.M).start()
            text = text[:at] + block + "\n" + text[at:]
        if self.new_registers:
            text += "" if "\ntemplate " in text else self.header("sets that several platforms have")
            at = re.search(r"^template |^# ---- sets that several", text, re.M).start()
            head = text.rfind("# ----", 0, at)
            at = head if not re.search(r"^(registers|bundle) ", text[head:at], re.M) else at
            text = text[:at].rstrip("\n") + "\n\n" + "\n".join(self.new_registers).rstrip("\n") + \
                "\n\n" + text[at:]
        if self.new_templates:
            text = text.rstrip("\n") + "\n\n" + "\n".join(self.new_templates).rstrip("\n") + "\n"
        # Remove lists of registers that are no longer used.
        users = text + "".join(open(path, encoding="utf-8").read() for path in self.paths.values())
        for name in list(self.shared.registers):
            if len(re.findall(rf"\b{name}\b", users)) == 1 and \
                    re.search(rf"^registers {name} ", text, re.M):
                start = re.search(rf"^registers {name} ", text, re.M).start()
                text = text[:start] + text[find_block(text, start):].lstrip("\n")
        with open(self.shared_path, "w", encoding="utf-8") as file:
            file.write(text)

    @staticmethod
    def header(title):
        return "\n\n" + f"# ---- {title} ".ljust(WIDTH - 6, "-") + "\n"

    def metric_statements(self):
        groups = {}
        for metric in self.new_metrics.values():
            groups.setdefault(metric.group, []).append(metric)
        lines = []
        for group, metrics in groups.items():
            lines += [f'group "{group}"', ""]
            for metric in metrics:
                head = f"\t= {to_text(metric.equation)}"
                if metric.max:
                    head += f"   max {to_text(metric.max)}"
                if metric.availability:
                    head += f"   if {to_text(metric.availability)}"
                tail = f"\t{self.value(metric)}   use {ordered(metric.usage, USAGES)}"
                if metric.part != "gpu":
                    tail += f"   of {self.words(metric.part)}"
                if metric.low is not None:
                    tail += f"   watermarks {metric.low:g} {metric.high:g}"
                lines += [f'metric {metric.symbol} "{self.tidy(metric.name)}"', head, tail, ""]
        return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.stderr.write(__doc__)
        sys.exit(2)
    Family(sys.argv[1], sys.argv[2], sys.argv[3:]).run()
