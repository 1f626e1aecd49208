// SPDX-License-Identifier: MIT
/* quote_test.c - test JSON strings and CSV fields that contain any bytes */
#include "common/quote.h"

#include "tap.h"

static const char *json(const char *text, const char *also)
{
	static struct buffer buffer;

	buffer.size = 0;
	quote_json(&buffer, text, strlen(text), also);
	buffer_put(&buffer, '\0');
	return buffer.text;
}

static const char *csv(const char *text)
{
	static struct buffer buffer;

	buffer.size = 0;
	quote_csv(&buffer, text);
	buffer_put(&buffer, '\0');
	return buffer.text;
}

static void json_string_is_quoted(void)
{
	CHECK_STRING(json("", ""), "\"\"");
	CHECK_STRING(json("a b", ""), "\"a b\"");
	CHECK_STRING(json("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80", ""),
		     "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80\"");
}

static void json_string_escapes_quotes_and_controls(void)
{
	CHECK_STRING(json("\"\\", ""), "\"\\\"\\\\\"");
	CHECK_STRING(json("\n\t\x1b[1m", ""), "\"\\u000a\\u0009\\u001b[1m\"");
}

static void json_string_escapes_extra_characters(void)
{
	CHECK_STRING(json("</script>&'", "<>&'"), "\"\\u003c/script\\u003e\\u0026\\u0027\"");
}

static void invalid_utf_8_is_replaced(void)
{
	/* invalid UTF-8: no start byte, overlong, cut off, a surrogate, above U+10FFFF */
	CHECK_STRING(json("a\xffz", ""), "\"a\xef\xbf\xbdz\"");
	CHECK_STRING(json("\xc0\x80", ""), "\"\xef\xbf\xbd\xef\xbf\xbd\"");
	CHECK_STRING(json("\xe2\x82", ""), "\"\xef\xbf\xbd\xef\xbf\xbd\"");
	CHECK_STRING(json("\xed\xa0\x80", ""), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	CHECK_STRING(csv("\xf4\x90\x80\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	CHECK_STRING(csv("\"\xff"), "\"\"\"\xef\xbf\xbd\"");
}

static void csv_field_is_quoted_if_required(void)
{
	CHECK_STRING(csv(""), "");
	CHECK_STRING(csv("a b"), "a b");
	CHECK_STRING(csv("a,b"), "\"a,b\"");
	CHECK_STRING(csv("say \"hi\""), "\"say \"\"hi\"\"\"");
	CHECK_STRING(csv("a\r\nb"), "\"a\r\nb\"");
}

static void long_string_is_written_to_file(void)
{
	char text[1001], expected[2003], out[4096] = "";
	FILE *file = fmemopen(out, sizeof(out), "w");

	REQUIRE(file);
	memset(text, '"', 1000);
	text[1000] = '\0';
	put_json_string(file, text, "");
	fclose(file);
	expected[0] = '"';
	for (int i = 0; i < 1000; i++)
		memcpy(expected + 1 + 2 * i, "\\\"", 2);
	memcpy(expected + 2001, "\"", 2);
	CHECK_STRING(out, expected);
}

int main(void)
{
	RUN(json_string_is_quoted);
	RUN(json_string_escapes_quotes_and_controls);
	RUN(json_string_escapes_extra_characters);
	RUN(invalid_utf_8_is_replaced);
	RUN(csv_field_is_quoted_if_required);
	RUN(long_string_is_written_to_file);
	return tap_end();
}
