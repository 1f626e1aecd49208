# SPDX-License-Identifier: MIT
"""language.py - reader of metric definitions (lib/metrics/*.oa)

It shares no code with the compiler of the library, and accepts what the compiler accepts; mistakes
are the compiler's to report. Documentation/reference/metric-definitions.rst describes the language.
"""
import os
import re

from equations import LEVEL, operand
from model import Metric, Platform, Set

TOKEN = re.compile(r"""\s+|\#[^\n]*
    |(?P<string>"[^"\n]*")
    |(?P<number>0x[0-9a-fA-F]+|\d+\.\d+|[0-9][0-9a-fA-F]*(?![\w.]))
    |(?P<word>[A-Za-z_]\w*|[0-9]\w+)
    |(?P<mark><<|>>|<=|>=|==|!=|//|[-={}()*/+&<>,])""", re.X)

APIS = {"IO", "BB", "OGL", "OGL4", "OCL", "VK", "MEDIA", "all"}
USAGES = {"overview", "indicate", "correlate", "system", "frame", "batch", "draw", "glassjaw",
          "tier1", "tier2", "tier3", "tier4"}


class Entry:
    """An element of a list of metrics: a name with the clauses that change it."""

    def __init__(self, symbol, clauses, definition=None):
        self.symbol, self.clauses, self.definition = symbol, clauses, definition


class Template:
    def __init__(self):
        self.head = {}  # clauses of the set itself
        self.lists = []  # of entries
        self.changes = []
        self.registers = []

    def copy(self):
        other = Template()
        other.head = dict(self.head)
        other.lists = list(self.lists)
        other.changes = list(self.changes)
        other.registers = list(self.registers)
        return other


class Reader:
    def __init__(self):
        self.platform = None
        self.metrics = {}  # symbol: clauses
        self.described = []
        self.constants = {}
        self.registers = {}
        self.bundles = {}
        self.templates = {}
        self.sets = []
        self.files = []
        self.group = {}

    # ---- tokens ----

    def open(self, path):
        path = os.path.normpath(path)
        if path in self.files:
            return
        self.files.append(path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        outer = getattr(self, "tokens", None), getattr(self, "at", 0), getattr(self, "path", None)
        tokens, position = [], 0
        while position < len(text):
            match = TOKEN.match(text, position)
            if not match:
                raise ValueError(f"{path}: {text[position:position + 40]!r}")
            position = match.end()
            if match.lastgroup:
                tokens.append(match[0])
        self.tokens, self.at, self.path = tokens + [""], 0, path
        while self.tokens[self.at]:
            self.statement()
        self.tokens, self.at, self.path = outer

    def peek(self):
        return self.tokens[self.at]

    def next(self):
        token = self.tokens[self.at]
        self.at += 1
        return token

    def take(self, token):
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token):
        if not self.take(token):
            raise ValueError(f"{self.path}: {' '.join(self.tokens[self.at - 6:self.at + 6])}: "
                             f"{token} expected")

    def string(self):
        return self.next()[1:-1]

    def strings(self):
        text = ""
        while self.peek().startswith('"'):
            text += self.string()
        return text

    def words(self):
        """A word, or several in quotes"""
        return self.string() if self.peek().startswith('"') else self.next()

    # ---- equations ----

    def equation(self, level=0):
        left = self.primary()
        while self.peek() in LEVEL and LEVEL[self.peek()] >= level:
            op = self.next()
            left = (op, left, self.equation(LEVEL[op] + 1))
        return left

    def primary(self):
        token = self.next()
        if token == "(":
            inner = self.equation()
            self.expect(")")
            return inner
        if token in ("float", "min", "max") and self.take("("):
            parts = [self.equation()]
            while self.take(","):
                parts.append(self.equation())
            self.expect(")")
            return (token, *parts)
        return operand(token)

    # ---- clauses of a metric ----

    def clauses(self):
        found = {}
        while True:
            token = self.peek()
            if token.startswith('"'):
                found["description"] = self.strings()
            elif token == "=":
                self.next()
                found["equation"] = self.equation()
            elif token == "max":
                self.next()
                found["max"] = None if self.take("none") else self.equation()
            elif token == "if":
                self.next()
                found["availability"] = None if self.take("always") else self.equation()
            elif token in ("uint64", "float"):
                found["type"] = self.next()
                found["units"] = self.words()
                found["semantic"] = self.next()
            elif token == "use":
                self.next()
                found["usage"] = self.set_of(USAGES)
            elif token == "on":
                self.next()
                apis = self.set_of(APIS)
                found["apis"] = frozenset() if apis == {"all"} else apis
            elif token == "of":
                self.next()
                found["part"] = self.words()
            elif token == "watermarks":
                self.next()
                found["low"] = float(self.next())
                found["high"] = float(self.next())
            elif token == "alias":
                self.next()
                found["alias"] = self.string()
            elif token == "in":
                self.next()
                found["group"] = self.string()
            elif token == "name":
                self.next()
                found["name"] = self.string()
            else:
                return found

    def set_of(self, known):
        found = set()
        while self.peek() in known:
            found.add(self.next())
        return frozenset(found)

    def metric(self):
        """metric SYMBOL "Name" clauses"""
        symbol = self.next()
        name = self.string()
        return symbol, {**self.group, "name": name, **self.clauses()}

    # ---- statements ----

    def statement(self):
        word = self.next()
        if word == "platform":
            self.platform = Platform(self.next())
            self.platform.title = self.string()
        elif word == "language":
            self.next()
        elif word == "include":
            self.group = {}
            self.open(os.path.join(os.path.dirname(self.path), self.string()))
        elif word == "constant":
            symbol = self.next()
            self.constants[symbol] = self.strings()
        elif word == "group":
            self.group = {"group": self.string()}
            self.group.update(self.clauses())
        elif word == "metric":
            symbol, clauses = self.metric()
            self.metrics[symbol] = clauses
        elif word == "info":
            self.next()
            self.string()
            self.clauses()
        elif word == "describe":
            pattern = self.string()
            self.described.append((pattern, self.strings()))
        elif word == "change":
            symbols = [self.next()]
            while self.peek() in self.metrics:
                symbols.append(self.next())
            clauses = self.clauses()
            for symbol in symbols:
                self.metrics[symbol] = {**self.metrics[symbol], **clauses}
        elif word == "bundle":
            name = self.next()
            self.bundles[name] = self.list()
        elif word == "registers":
            name = self.next()
            self.registers[name] = self.register_block()
        elif word in ("set", "template"):
            self.set(word)
        else:
            raise ValueError(f"{self.path}: {word}")

    def list(self):
        """{ list }"""
        entries = []
        self.expect("{")
        while not self.take("}"):
            word = self.next()
            if word == "bundle":
                name = self.next()
                clauses = self.clauses()
                entries += [Entry(entry.symbol, {**clauses, **entry.clauses} if clauses else
                                  entry.clauses, entry.definition) for entry in self.bundles[name]]
            elif word == "metric":
                symbol, definition = self.metric()
                entries.append(Entry(symbol, {}, definition))
            else:
                entries.append(Entry(word, self.clauses()))
        return entries

    def register_block(self):
        registers = []
        self.expect("{")
        while not self.take("}"):
            address = int(self.next(), 16)
            self.expect("=")
            registers.append((address, int(self.next(), 16)))
            while self.take(","):
                registers.append((address, int(self.next(), 16)))
        return tuple(registers)

    def register_lists(self, kind):
        lists, others = [], []
        while True:
            condition = self.equation() if self.take("if") else None
            block = self.register_block() if self.peek() == "{" else self.registers[self.next()]
            whole = condition
            for other in others:
                negated = ("==", other, ("int", 0))
                whole = ("and", negated, whole) if whole else negated
            lists.append((kind, whole, block))
            if not condition or not self.take("else"):
                return lists
            others.append(condition)

    def set(self, word):
        symbol = self.next()
        name = self.string() if self.peek().startswith('"') else None
        like = self.next() if self.take("like") else None
        body = self.templates[like].copy() if like else Template()
        own = Template()
        self.expect("{")
        while not self.take("}"):
            clause = self.next()
            if clause == "uuid":
                own.head["uuid"] = self.string()
                own.head["shared"] = self.take("shared")
            elif clause == "format":
                own.head["format"] = self.next()
            elif clause == "unit":
                own.head["unit"] = self.next()
            elif clause == "on":
                apis = self.set_of(APIS)
                own.head["apis"] = frozenset() if apis == {"all"} else apis
            elif clause == "if":
                own.head["availability"] = None if self.take("always") else self.equation()
            elif clause == "remark":
                self.next()
            elif clause == "metrics":
                common = self.clauses()
                body.lists += [Entry(entry.symbol, {**common, **entry.clauses}, entry.definition)
                               for entry in self.list()]
            elif clause == "change":
                common = self.clauses()
                body.changes += [(entry.symbol, {**common, **entry.clauses})
                                 for entry in self.list()]
            elif clause in ("mux", "boolean", "flex"):
                body.registers += self.register_lists(clause)
            else:
                raise ValueError(f"{self.path}: set {symbol}: {clause}")
        body.head.update(own.head)
        body.head["name"] = name or body.head.get("name")
        if word == "template":
            self.templates[symbol] = body
        else:
            self.sets.append((symbol, like, body, self.path))

    # ---- results ----

    def make_metric(self, symbol, clauses):
        metric = Metric(symbol)
        for field, value in clauses.items():
            setattr(metric, field, value)
        return metric

    def make_set(self, symbol, like, body):
        made = Set(symbol)
        made.like = like
        made.name = body.head.get("name") or symbol
        made.uuid = body.head.get("uuid")
        for field in ("format", "unit", "apis", "availability"):
            if field in body.head:
                setattr(made, field, body.head[field])
        made.registers = body.registers
        for entry in body.lists:
            base = entry.definition if entry.definition is not None else self.metrics[entry.symbol]
            clauses = {**base, **entry.clauses}
            for changed, change in body.changes:
                if changed == entry.symbol:
                    clauses.update(change)
            made.metrics.append(self.make_metric(entry.symbol, clauses))
        return made


def read(path):
    """The platform of a file, and the reader with all named parts."""
    reader = Reader()
    reader.open(path)
    for symbol, like, body, _ in reader.sets:
        reader.platform.sets.append(reader.make_set(symbol, like, body))
    reader.platform.constants = reader.constants
    return reader.platform, reader
