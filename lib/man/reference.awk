# reference.awk: generate manual pages in reStructuredText from the public headers, one per section of a
# header with functions that no page of this directory documents. The text is that of the header.
#
# awk -v dir=PLACE -f reference.awk PAGE.rst... HEADER.h...
function escape(text) {
	gsub(/[\\*`_|]/, "\\\\&", text)
	return text
}

function spaces(text,    at) {
	while (at = index(text, "\t"))
		text = substr(text, 1, at - 1) sprintf("%*s", 8 - (at - 1) % 8, "") substr(text, at + 1)
	return text
}

function flush_code() {
	if (code != "")
		body = body "::\n\n" code "\n"
	code = ""
}

# A comment as paragraphs; "@name: description" and "-ERROR: description" as terms. Indented lines
# continue an item.
function prose(text,    line) {
	if (match(text, /^(@[a-z_]+|-E[A-Z0-9]+):/)) {
		line = substr(text, 1, RLENGTH - 1)
		line = (sub(/^@/, "", line) ? "*" escape(line) "*" : "**" line "**") "\n"
		sub(/^(@[a-z_]+|-E[A-Z0-9]+): */, "", text)
		if (!in_terms)
			body = body "\n"
		in_terms = 1
		body = body line "   " escape(text) "\n"
	} else if (text == "") {
		body = body "\n"
		in_terms = 0
	} else {
		sub(/^ +/, "", text)
		body = body (in_terms ? "   " : "") escape(text) "\n"
	}
}

function finish(    i, name, path, rule, list, line) {
	flush_code()
	name = "gpuoa_" title
	gsub(/[^a-z0-9_]/, "_", name)
	list = ""
	line = ":Title:"
	for (i = 1; i <= functions; i++) {
		if (length(line) + length(names[i]) > 96) {
			list = list line "\n"
			line = "       "
		}
		line = line " " names[i] (i < functions ? "," : "")
	}
	list = list line "\n"
	if (functions) {
		path = dir "/" name ".3.rst"
		rule = sprintf("%*s", length(name) + length(heading) + 12, "")
		gsub(/ /, "=", rule)
		printf "%s\n%s\n%s\n\n%s\n%s\n%s\n\n:Manual section: 3\n:Manual group: Library Functions\n%s\n", rule, name, rule,
			part_rule(rule), heading, part_rule(rule), list >path
		printf "SYNOPSIS\n========\n\n**#include <%s>**\n\nDESCRIPTION\n===========\n\n%s\nSEE ALSO\n========\n\n**gpuoa**\\ (1)\n",
			header, body >path
		close(path)
	}
	body = ""
	functions = 0
	in_terms = 0
}
function part_rule(rule) {
	gsub(/=/, "-", rule)
	return rule
}

# Functions documented by other pages: those in the title or in the :Title: field
FILENAME ~ /\.rst$/ {
	in_title = FNR == 2 || /^:Title:/ || (in_title && /^ /)
	for (text = $0; in_title && match(text, /gpuoa_[a-z0-9_]+/); text = substr(text, RSTART + RLENGTH))
		is_known[substr(text, RSTART, RLENGTH)] = 1
	next
}

FNR == 1 {
	if (heading != "")
		finish()
	header = FILENAME
	sub(/.*\//, "", header)
	heading = ""
}
/^\/\* ---- / {
	if (heading != "")
		finish()
	heading = $0
	gsub(/^\/\* -+ *| *-+ *\*\/$/, "", heading)
	title = heading
	sub(/:.*/, "", title)
	next
}
heading == "" || /^#(endif|ifdef|if|undef)/ || /^}$/ || /^extern "C"/ { next }
/^\/\*\*/ || (in_comment == 0 && /^\/\*/) {
	flush_code()
	in_comment = 1
	body = body "\n"
	sub(/^\/\*\*? */, "")
	if ($0 == "")
		next
}
in_comment {
	last = /\*\//
	sub(/ *\*\/.*/, "")
	sub(/^ \* ?/, "")
	if (!(last && $0 ~ /^ ?$/))
		prose($0)
	if (last) {
		in_comment = 0
		in_terms = 0
		body = body "\n"
	}
	next
}
{
	text = $0
	while (match(text, /(^|[^a-z0-9_])gpuoa_[a-z0-9_]+\(/)) {
		name = substr(text, RSTART, RLENGTH - 1)
		sub(/^[^a-z]/, "", name)
		if (is_declaration || /^GPUOA_API/)
			if (!(name in is_known) && !(name in seen)) {
				seen[name] = 1
				names[++functions] = name
			}
		text = substr(text, RSTART + RLENGTH)
	}
	is_declaration = /^GPUOA_API/ || is_declaration
	text = spaces($0)
	if (is_declaration)
		sub(/^GPUOA_API ?|^          /, "", text)
	if (/;/)
		is_declaration = 0
	if (text != "" || code != "")
		code = code (text == "" ? "" : "   " text) "\n"
}
END {
	if (heading != "")
		finish()
}
