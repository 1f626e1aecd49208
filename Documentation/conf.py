# SPDX-License-Identifier: MIT
"""Sphinx configuration: `make docs` builds HTML of this directory.

The directive `doc-comments` renders the doc comments of a C header, each followed by the declaration
that it documents.
"""
import os
import re

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))

project = "gpuoa"
author = copyright = "the gpuoa authors"
version = release = re.search(r"^VERSION := (\S+)", open(os.path.join(TOP, "Makefile")).read(), re.M)[1]
html_theme = "alabaster"
html_theme_options = {"page_width": "1200px", "sidebar_width": "260px"}
html_sidebars = {"**": ["about.html", "searchbox.html", "globaltoc.html"]}
html_copy_source = False
exclude_patterns = ["ABI"]
smartquotes = False
highlight_language = "none"
today_fmt = "%Y-%m-%d"

COMMENT = re.compile(r"/\*\*(?P<text>.*?)\*/\n(?P<code>(?:(?!/\*\*)[^\n]*\n)*)", re.S)
SECTION = re.compile(r"/\* -+ (?P<title>.*?) -+ \*/")
BORDER = re.compile(r"=+( +=+)+")
AGGREGATE = re.compile(r"^(?:struct|union|enum)\b[^;(]*\{.*?^\}[^;]*;", re.S | re.M)


def declaration(code):
    """The declaration that follows a doc comment: all of a type, of a macro or of a function."""
    code = re.sub(r"/\* -+ .*?-+ \*/", "", code)
    code = code.lstrip("\n").replace("GPUOA_API ", "")
    if code.startswith("#define"):
        return re.match(r"(?:.*\\\n)*.*", code)[0]
    inline = re.match(r"static inline [^{;]*\)", code)
    if inline:
        return inline[0] + ";"
    aggregate = AGGREGATE.match(code)
    if aggregate:
        return aggregate[0]
    return code[: code.find(";") + 1]


def name_of(code):
    """The name that a declaration introduces."""
    match = (
        re.match(r"#define\s+(\w+)", code)
        or re.match(r"((?:struct|union|enum)\s+\w+)\s*[{;]", code)
        or re.search(r"\(\*(\w+)\)\s*\(", code)
        or re.search(r"(\w+)\s*\(", code)
        or re.search(r"(\w+);$", code)
    )
    return match[1] if match else ""


def escape(text):
    return re.sub(r"([\\*`|])|(?<=\w)(_)(?=\W|$)", r"\\\1\2", text)


def paragraphs(text):
    """Paragraphs of a comment, as lists of lines. A table, which has three borders, is one paragraph."""
    paragraph, borders = [], 0
    for line in text.strip("\n").split("\n") + [""]:
        line = re.sub(r"^ ?\* ?", "", line.rstrip()).expandtabs()
        if BORDER.fullmatch(line):
            borders += 1
        if line or borders % 3:
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def prose(text):
    """A comment as reStructuredText: definitions of "@name: text", lists, tables, literal text, paragraphs."""
    result = []
    for lines in paragraphs(text):
        first = lines[0]
        if first.startswith("@"):
            for line in lines:
                term = re.match(r"@([\w.]+(?:\(\))?):\s*(.*)", line)
                if term:
                    result += [f"``{term[1]}``", f"   {escape(term[2]) or chr(92)}"]
                else:
                    result.append("   " + escape(line.strip()))
        elif BORDER.fullmatch(first):
            result += lines
        elif re.match(r"(- |\d+\. )", first):
            result += [escape(line) for line in lines]
        elif first.startswith("  ") or re.search(r"\S {3,}\S", first):
            result += ["::", ""] + ["   " + line for line in lines]
        else:
            result += [escape(line.strip()) for line in lines]
        result.append("")
    return result


def header_text(path):
    """A header as reStructuredText."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    lines, position = [], 0
    for comment in COMMENT.finditer(source):
        for section in SECTION.finditer(source, position, comment.start()):
            title = section["title"].strip()
            title = title[0].upper() + title[1:]
            lines += ["", title, "~" * len(title), ""]
        position = comment.start("code")
        code = declaration(comment["code"])
        name = name_of(code)
        text = comment["text"]
        if re.match(r"\s*\*? ?DOC: ", text):
            title = re.search(r"DOC: (.*)", text)[1]
            lines += ["", title, "~" * len(title), ""]
            text, code = text.split(title, 1)[1], ""
        # The title repeats the first line of the kernel-doc comment.
        text = re.sub(r"\A\s*\*? ?(?:struct |enum |union )?\w+(?:\(\))? - ", "\n * ", text)
        if name and code:
            lines += ["", f".. rubric:: {escape(name)}", ""]
            lines += [".. code-block:: c", ""] + ["   " + line for line in code.expandtabs().split("\n")] + [""]
        lines += prose(text) + [""]
    return lines


class DocComments(Directive):
    required_arguments = 1

    def run(self):
        path = os.path.join(TOP, self.arguments[0])
        self.state.document.settings.env.note_dependency(path)
        node = nodes.section()
        node.document = self.state.document
        self.state.nested_parse(StringList(header_text(path), source=path), 0, node, match_titles=1)
        return node.children


def setup(app):
    app.add_directive("doc-comments", DocComments)
    return {"parallel_read_safe": True}
