// SPDX-License-Identifier: MIT
/* xml_none.c - reject XML; used instead of xml.c if the library is built without expat */
#include <errno.h>
#include <stdio.h>

#include "definitions/load/import.h"

int xml_import(const char *file, const char *text, size_t size, struct arena *arena,
	       struct definition_list *list, struct diagnostic *diagnostic)
{
	(void)text;
	(void)size;
	(void)arena;
	(void)list;
	snprintf(diagnostic->text, sizeof(diagnostic->text),
		 "%s: this is XML, and libgpuoa was built without expat, which reads it", file);
	return -EOPNOTSUPP;
}
