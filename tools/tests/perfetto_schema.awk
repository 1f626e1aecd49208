# perfetto_schema.awk: print "message.field number type" for each field of a .proto
{ sub(/\/\/.*/, "") }
/^ *(message|enum|oneof) / { name[++depth] = $1 == "oneof" ? "" : $2 "."; next }
/^ *}/ { depth--; next }
/=/ {
	path = ""
	for (i = 1; i <= depth; i++)
		path = path name[i]
	gsub(/[=;]/, " ")
	if ($1 ~ /^(optional|repeated)$/)
		print path $3, $4, $2
	else if (NF == 3 && depth)
		print path $2, $3, $1
	else if (depth)
		print path $1, $2
}
