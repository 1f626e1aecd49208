#!/bin/bash
# Use the installed files without the source tree; prints TAP
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
LIBDIR=/usr/lib/x86_64-linux-gnu

. selftests/tap.sh

install_all() {
	make --no-print-directory -s install-files DESTDIR="$DIR/root" PREFIX=/usr LIBDIR=$LIBDIR BUILD="$BUILD"
}

is_there() {
	local file
	for file in $LIBDIR/libgpuoa.so.0.1 $LIBDIR/libgpuoa.so $LIBDIR/libgpuoa.a $LIBDIR/pkgconfig/libgpuoa.pc \
		/usr/include/gpuoa.h /usr/include/gpuoa-catalog.h /usr/include/drm/gpuoa_drm.h /usr/bin/gpuoa \
		/usr/share/man/man1/gpuoa.1 /usr/share/man/man3/gpuoa_tracer.3 /usr/include/gpuoa-tracer.h /usr/include/gpuoa-stream.h \
		/usr/share/man/man3/gpuoa_stream.3 /usr/share/doc/libgpuoa/examples/profiler.c; do
		[ -s "$DIR/root$file" ] || { echo "no $file" && return 1; }
	done
}

# There is a page for each command and function, and none causes warnings of the formatter.
manual_is_complete() {
	local page name
	for name in $(LD_LIBRARY_PATH=$DIR/root$LIBDIR "$DIR/root/usr/bin/gpuoa" --help | awk '/^Commands:/ { on = 1; next } !NF { on = 0 } on { print $1 }'); do
		[ -s "$DIR/root/usr/share/man/man1/gpuoa-$name.1" ] || { echo "no gpuoa-$name.1" && return 1; }
	done
	for page in "$DIR"/root/usr/share/man/man?/*; do
		lexgrog "$page" >/dev/null || return
		LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null | grep . && return 1
	done
	[ -n "${name-}" ] &&
		diff <(declared) <(lexgrog "$DIR"/root/usr/share/man/man3/* | sed 's/.*: "//; s/ - .*//' | sort -u)
}

no_build_paths() {
	! grep -rl -e "$PWD" -e "$BUILD" "$DIR/root$LIBDIR/pkgconfig" "$DIR/root/usr/include" &&
		! readelf -d "$DIR/root/usr/bin/gpuoa" "$DIR/root$LIBDIR/libgpuoa.so" | grep -iE 'r(un)?path'
}

soname() {
	readelf -d "$DIR/root$LIBDIR/libgpuoa.so" | grep -F '[libgpuoa.so.0.1]' && [ -f "$DIR/root$LIBDIR/libgpuoa.so.0.1.0" ]
}

# Functions of the library, of the version script, and of the headers, where GPUOA_API precedes each
# function
exported() { nm -D --defined-only "$DIR/root$LIBDIR/libgpuoa.so" | awk '$2 == "T" { sub("@.*", "", $3); print $3 }' | sort; }
mapped() { grep -oE '^\sgpuoa_[a-z0-9_]+' lib/libgpuoa.map | tr -d '\t'; }
declared() {
	sed 's,/\*.*\*/,,' lib/include/*.h | tr '\n' ' ' | grep -oE 'GPUOA_API [^;{#]*;' | grep -oE '\bgpuoa_[a-z0-9_]+\(' | tr -d '(' | sort -u
}
exports_agree() {
	diff <(mapped) <(declared) && diff <(exported) <(declared) && [ "$(declared | wc -l)" -gt 100 ]
}
map_is_sorted() { mapped | sort -c; }

no_foreign_symbols() {
	nm -g --defined-only "$DIR/root$LIBDIR/libgpuoa.a" 2>/dev/null | awk 'NF == 3 { n++; if ($3 !~ /^gpuoa_/) { print; bad = 1 } } END { exit bad || n < 100 }'
}

headers_compile() { # compiler, options
	local header
	for header in $(cd lib/include && echo *.h) drm/gpuoa_drm.h; do
		printf '#include <%s>\n#include <%s>\n' "$header" gpuoa.h >"$DIR/source"
		"$@" -Wall -Wextra -Werror -pedantic -fsyntax-only -I"$DIR/root/usr/include" "$DIR/source" || return
	done
}

cat >"$DIR/user.c" <<'USER'
#include <gpuoa-catalog.h>
#include <stdio.h>

/* Names of the library's own: a program may have them, too. */
int evaluate(void);
int evaluate(void)
{
	return 0;
}

int main(void)
{
	struct gpuoa_catalog *catalog;

	if (gpuoa_catalog_new(&catalog) || gpuoa_catalog_add(catalog, gpuoa_platform_find("hsw")))
		return 1;
	printf("%s %u\n", gpuoa_version(), gpuoa_catalog_metric_count(catalog));
	gpuoa_catalog_free(catalog);
	return evaluate();
}
USER

pkg() {
	PKG_CONFIG_SYSROOT_DIR="$DIR/root" PKG_CONFIG_LIBDIR="$DIR/root$LIBDIR/pkgconfig" \
		PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 pkg-config "$@" libgpuoa
}
sanitizers() { # as the library was built
	! nm -D "$DIR/root$LIBDIR/libgpuoa.so" | grep -q __asan_init || echo -fsanitize=address,undefined
}
user_runs() {
	# shellcheck disable=SC2046 # several words each
	gcc -std=c99 -Wall -Werror -fvisibility=hidden $(sanitizers) $(pkg --cflags) "$DIR/user.c" -o "$DIR/user" "$@" &&
		LD_LIBRARY_PATH="$DIR/root$LIBDIR" "$DIR/user" | grep -E '^0\.1\.0 [0-9]{3,}$'
}
dynamic_program() {
	# shellcheck disable=SC2046
	user_runs $(pkg --libs) && readelf -d "$DIR/user" | grep -F '[libgpuoa.so.0.1]'
}
static_program() {
	# shellcheck disable=SC2046
	user_runs -Wl,-Bstatic -L"$DIR/root$LIBDIR" -lgpuoa -Wl,-Bdynamic $(pkg --libs --static | grep -oE -e '-lexpat') &&
		! readelf -d "$DIR/user" | grep -F libgpuoa.so
}

check "make install succeeds" install_all
check "all files are installed, libraries in LIBDIR" is_there
check "each command and function has a man page" manual_is_complete
check "installed files do not name the build tree" no_build_paths
check "soname has the version of the interface" soname
check "library, version script and headers have the same functions" exports_agree
check "version script is sorted" map_is_sorted
check "static library has public global symbols only" no_foreign_symbols
for standard in c99 c11 c17; do
	check "the headers are $standard" headers_compile gcc -x c -std=$standard
done
for standard in c++11 c++17 c++20; do
	check "the headers are $standard" headers_compile g++ -x c++ -std=$standard
done
if command -v clang >/dev/null; then
	check "clang compiles the headers" headers_compile clang -x c -std=c99
fi
check "pkg-config flags link a program" dynamic_program
check "static library links a program" static_program
echo "1..$number"
