# SPDX-License-Identifier: MIT
"""equations.py - equations of metrics, from infix or postfix notation, as trees

A tree is a tuple:
  ("int", 12), ("real", "0.5"), ("counter", "A", 7), ("word", "TIMESTAMP"), ("name", "GpuTime"),
  ("float", x), ("min", x, y), ("max", x, y), or (OPERATOR, x, y) with an operator of the language
"""
import re

WORDS = {"TIMESTAMP", "CLOCK", "REPORT_ID", "CONTEXT_ID", "QueryMode"}
COUNTER = re.compile(r"(A|B|C|PEC|PERFCNT)(\d+)$")

PRECEDENCE = [["or"], ["and"], ["<", "<=", ">", ">="], ["==", "!="], ["&"], ["<<", ">>"],
              ["+", "-"], ["*", "//", "/"]]
LEVEL = {op: level for level, ops in enumerate(PRECEDENCE) for op in ops}

POSTFIX = {"UADD": "+", "USUB": "-", "UMUL": "*", "UDIV": "//", "FADD": "+", "FSUB": "-",
           "FMUL": "*", "FDIV": "/", "FMAX": "max", "UMIN": "min", "UMAX": "max", "AND": "&",
           "<<": "<<", ">>": ">>", "&&": "and", "UGTE": ">=", "ULT": "<", "UGT": ">", "ULTE": "<="}


def operand(text):
    counter = COUNTER.match(text)
    if counter:
        return ("counter", counter[1], int(counter[2]))
    if text in WORDS:
        return ("word", text)
    if re.match(r"\d+\.\d", text):
        return ("real", text)
    if re.match(r"\d", text):
        return ("int", int(text, 0))
    return ("name", text)


def is_real(tree, types):
    """Whether a tree yields a real; types: symbols of float metrics."""
    kind = tree[0]
    if kind in ("real", "float", "/"):
        return True
    if kind == "name":
        return tree[1] in types
    if kind in ("int", "counter", "word"):
        return False
    return any(is_real(part, types) for part in tree[1:])


def from_postfix(text, types):
    """A tree of an equation in reverse Polish notation, as Documentation describes it."""
    stack = []
    words = text.split()
    i = 0
    while i < len(words):
        word = words[i]
        if i + 2 < len(words) and words[i + 2] == "READ":
            if word == "GPU_TIME":
                stack.append(("word", "TIMESTAMP"))
            elif word == "GPU_CLOCK":
                stack.append(("word", "CLOCK"))
            else:
                stack.append(("counter", word, int(words[i + 1], 0)))
            i += 3
            continue
        if word in POSTFIX:
            right, left = stack.pop(), stack.pop()
            op = POSTFIX[word]
            real = is_real(left, types) or is_real(right, types)
            if word == "UDIV" and real:
                op = "/"
            if word in ("FADD", "FSUB", "FMUL", "FMAX") and not real:
                left = ("float", left)
            stack.append((op, left, right))
        elif word[0] == "$":
            stack.append(operand(word[1:]))
        else:
            stack.append(operand(word))
        i += 1
    if len(stack) != 1:
        raise ValueError(f"{text}: {len(stack)} values")
    return stack[0]


def to_text(tree, level=0):
    """Infix text, with as few parentheses as possible."""
    kind = tree[0]
    if kind == "int":
        return str(tree[1])
    if kind in ("real", "word", "name"):
        return tree[1]
    if kind == "counter":
        return f"{tree[1]}{tree[2]}"
    if kind == "float":
        return f"float({to_text(tree[1])})"
    if kind in ("min", "max"):
        return f"{kind}({to_text(tree[1])}, {to_text(tree[2])})"
    own = LEVEL[kind]
    right = tree[2]
    # Masks are easier to read in hexadecimal.
    if kind == "&" and right[0] == "int":
        text = f"{to_text(tree[1], own)} & {right[1]:#x}"
    else:
        text = f"{to_text(tree[1], own)} {kind} {to_text(right, own + 1)}"
    return f"({text})" if own < level else text


def evaluate(tree, values):
    """The value of a tree; values(tree) returns those of counters, words and names."""
    kind = tree[0]
    if kind == "int":
        return tree[1]
    if kind == "real":
        return float(tree[1])
    if kind in ("counter", "word", "name"):
        return values(tree)
    parts = [evaluate(part, values) for part in tree[1:]]
    if kind == "float":
        return float(parts[0])
    x, y = parts
    if isinstance(x, float) or isinstance(y, float):
        x, y = float(x), float(y)
    if kind == "/":
        return float(x) / y if y else 0.0
    if kind == "//":
        return x // y if y else 0
    if kind == "-":
        return x - y if isinstance(x, float) else max(x - y, 0)
    return {"+": lambda: x + y, "*": lambda: x * y, "min": lambda: min(x, y),
            "max": lambda: max(x, y), "&": lambda: x & y, "<<": lambda: x << y,
            ">>": lambda: x >> y, "==": lambda: int(x == y), "!=": lambda: int(x != y),
            "<": lambda: int(x < y), "<=": lambda: int(x <= y), ">": lambda: int(x > y),
            ">=": lambda: int(x >= y), "and": lambda: int(bool(x) and bool(y)),
            "or": lambda: int(bool(x) or bool(y))}[kind]()


def names(tree):
    """All names that a tree uses."""
    if tree[0] == "name":
        return {tree[1]}
    return set().union(*(names(part) for part in tree[1:] if isinstance(part, tuple)), set())
