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
	for file in $LIBDIR/libgpuoa{,-extra}.so.0.1 $LIBDIR/libgpuoa{,-extra}.so $LIBDIR/libgpuoa{,-extra}.a \
		$LIBDIR/pkgconfig/libgpuoa{,-extra}.pc /usr/include/gpuoa.h /usr/include/gpuoa-catalog.h /usr/include/drm/gpuoa_drm.h /usr/bin/gpuoa \
		/usr/share/man/man1/gpuoa.1 /usr/share/man/man3/gpuoa_tracer.3 /usr/include/gpuoa-tracer.h /usr/include/gpuoa-stream.h \
		/usr/share/man/man3/gpuoa_stream.3 /usr/share/doc/libgpuoa/examples/profiler.c \
		/usr/libexec/gpuoa/libgpuoa-ze.so $LIBDIR/gpuoa/libigdmd.so.1 $LIBDIR/gpuoa/libmd.so $LIBDIR/gpuoa/libigdml.so.1; do
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
		diff <(declared lib/include lib/extra/include) <(lexgrog "$DIR"/root/usr/share/man/man3/* | sed 's/.*: "//; s/ - .*//' | sort -u)
}

no_build_paths() {
	! grep -rl -e "$PWD" -e "$BUILD" "$DIR/root$LIBDIR/pkgconfig" "$DIR/root/usr/include" &&
		! readelf -d "$DIR/root/usr/bin/gpuoa" "$DIR/root$LIBDIR"/libgpuoa{,-extra}.so | grep -iE 'r(un)?path'
}

soname() { # library
	readelf -d "$DIR/root$LIBDIR/$1.so" | grep -F "[$1.so.0.1]" && [ -f "$DIR/root$LIBDIR/$1.so.0.1.0" ]
}

# Functions of a library, of its version script, and of its headers, where GPUOA_API precedes each
# function
exported() { nm -D --defined-only "$DIR/root$LIBDIR/$1.so" | awk '$2 == "T" && $3 !~ /PRIVATE/ { sub("@.*", "", $3); print $3 }' | sort; }
mapped() { sed '/^LIBGPUOA_PRIVATE/,$d' "$1" | grep -oE '^\sgpuoa_[a-z0-9_]+' | tr -d '\t'; }
declared() { # directory...
	local directories=("${@/%//*.h}")
	# shellcheck disable=SC2086,SC2048 # expanded here
	sed 's,/\*.*\*/,,' ${directories[*]} | tr '\n' ' ' | grep -oE 'GPUOA_API [^;{#]*;' | grep -oE '\bgpuoa_[a-z0-9_]+\(' | tr -d '(' | sort -u
}
exports_agree() { # library, version script, headers, least number of functions
	diff <(mapped "$2") <(declared "$3") && diff <(exported "$1") <(declared "$3") && [ "$(declared "$3" | wc -l)" -ge "$4" ]
}
map_is_sorted() { # version script
	mapped "$1" | sort -c && sed -n '/^LIBGPUOA_PRIVATE/,$p' "$1" | grep gpuoa_private_ | sort -c
}

# The dynamic linker accepts a libgpuoa-extra only with the libgpuoa that it was built with.
private_node_has_version() {
	local node=LIBGPUOA_PRIVATE_0.1.0
	readelf -V "$DIR/root$LIBDIR/libgpuoa-extra.so" | grep "Name: $node " &&
		! nm -D "$DIR/root$LIBDIR/libgpuoa.so" "$DIR/root$LIBDIR/libgpuoa-extra.so" | grep gpuoa_private_ | grep -v "@$node$"
}

core_needs_no_extra() {
	! readelf -d "$DIR/root/usr/bin/gpuoa" "$DIR/root$LIBDIR/libgpuoa.so" | grep libgpuoa-extra &&
		! grep -l extra "$DIR/root$LIBDIR/pkgconfig/libgpuoa.pc"
}

no_foreign_symbols() { # static library, least number of functions
	nm -g --defined-only "$DIR/root$LIBDIR/$1" 2>/dev/null |
		awk -v least="$2" 'NF == 3 { n++; if ($3 !~ /^gpuoa_/) { print; bad = 1 } } END { exit bad || n < least }'
}

headers_compile() { # compiler, options
	local header
	for header in $(cd lib/include && echo *.h) $(cd lib/extra/include && echo *.h) drm/gpuoa_drm.h; do
		printf '#include <%s>\n#include <%s>\n' "$header" gpuoa.h >"$DIR/source"
		"$@" -Wall -Wextra -Werror -pedantic -fsyntax-only -I"$DIR/root/usr/include" "$DIR/source" || return
	done
}

cat >"$DIR/user.c" <<'USER'
#include <stdio.h>

#ifdef EXTRA
#include <gpuoa-catalog.h>
#else
#include <gpuoa.h>
#endif

/* Names of the library's own: a program may have them, too. */
int evaluate(void);
int evaluate(void)
{
	return 0;
}

int main(void)
{
#ifdef EXTRA
	struct gpuoa_catalog *catalog;

	if (gpuoa_catalog_new(&catalog) || gpuoa_catalog_add(catalog, gpuoa_platform_find("hsw")))
		return 1;
	printf("%s %u\n", gpuoa_version(), gpuoa_catalog_set_count(catalog));
	gpuoa_catalog_free(catalog);
#else
	printf("%s %u\n", gpuoa_version(),
	       (unsigned int)gpuoa_platform_set_count(gpuoa_platform_find("hsw")));
#endif
	return evaluate();
}
USER

pkg() { # library, options
	PKG_CONFIG_SYSROOT_DIR="$DIR/root" PKG_CONFIG_LIBDIR="$DIR/root$LIBDIR/pkgconfig" \
		PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 pkg-config "${@:2}" "$1"
}
sanitizers() { # as the library was built
	! nm -D "$DIR/root$LIBDIR/libgpuoa.so" | grep -q __asan_init || echo -fsanitize=address,undefined
}
user_runs() { # library, options
	local define=-DCORE
	[ "$1" = libgpuoa ] || define=-DEXTRA
	# shellcheck disable=SC2046 # several words each
	gcc -std=c99 -Wall -Werror $define -fvisibility=hidden $(sanitizers) $(pkg "$1" --cflags) "$DIR/user.c" -o "$DIR/user" "${@:2}" &&
		LD_LIBRARY_PATH="$DIR/root$LIBDIR" "$DIR/user" | grep -E '^0\.1\.0 [0-9]+$'
}
dynamic_program() { # library
	# shellcheck disable=SC2046
	user_runs "$1" $(pkg "$1" --libs) && readelf -d "$DIR/user" | grep -F "[$1.so.0.1]"
}
static_program() { # library
	# shellcheck disable=SC2046
	user_runs "$1" -Wl,-Bstatic $(pkg "$1" --libs) -Wl,-Bdynamic $(pkg "$1" --libs --static | grep -oE -e '-l(expat|dw|elf|m)\b') &&
		! readelf -d "$DIR/user" | grep -F libgpuoa
}

# With the installed files; only two examples need libgpuoa-extra
has_level_zero() {
	[ -e /usr/include/level_zero/zet_api.h ]
}

examples_link() {
	local source program library libraries compiler
	for source in "$DIR"/root/usr/share/doc/libgpuoa/examples/*.c*; do
		program=$(basename "$source") library=libgpuoa libraries='' compiler='gcc -std=gnu11'
		case $program in
		tracer.c | query.c) library=libgpuoa-extra ;;
		*.cc) compiler='g++ -std=c++17' ;;
		level-zero.c) has_level_zero || continue; libraries=-lze_loader ;;
		esac
		# shellcheck disable=SC2046,SC2086 # query.c includes headers of the tree
		$compiler -I. $(sanitizers) $(pkg libdrm --cflags 2>/dev/null || pkg-config --cflags libdrm) "$source" -pthread \
			$(pkg $library --cflags --libs) $libraries -o "$DIR/example" || return
		[ $library = libgpuoa ] || continue
		! readelf -d "$DIR/example" | grep libgpuoa-extra || return
	done
}

check "make install succeeds" install_all
check "all files are installed, libraries in LIBDIR" is_there
check "each command and function has a man page" manual_is_complete
check "installed files do not name the build tree" no_build_paths
for library in libgpuoa libgpuoa-extra; do
	case $library in
	libgpuoa) map=lib/libgpuoa.map headers=lib/include least=110 ;;
	*) map=lib/extra/libgpuoa-extra.map headers=lib/extra/include least=80 ;;
	esac
	check "$library: soname has the version of the interface" soname $library
	check "$library: library, version script and headers have the same functions" \
		exports_agree $library $map $headers $least
	check "$library: version script is sorted" map_is_sorted $map
	check "$library: static library has global symbols of its own only" no_foreign_symbols $library.a $least
	check "$library: pkg-config flags link a program" dynamic_program $library
	check "$library: static library links a program" static_program $library
done
check "private functions have the version of the library" private_node_has_version
check "neither libgpuoa nor the command needs libgpuoa-extra" core_needs_no_extra
check "examples link with the installed libraries" examples_link
for standard in c99 c11 c17; do
	check "the headers are $standard" headers_compile gcc -x c -std=$standard
done
for standard in c++11 c++17 c++20; do
	check "the headers are $standard" headers_compile g++ -x c++ -std=$standard
done
if command -v clang >/dev/null; then
	check "clang compiles the headers" headers_compile clang -x c -std=c99
fi
echo "1..$number"
