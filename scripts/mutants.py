#!/usr/bin/env python3
"""Mutation test of the library: change one line of lib/ at a time and run the host tests

mutants.py [--count N] [--seed SEED] [--jobs N] [--minutes N] [--longest SECONDS]

Selects N random places in the sources of the library, by SEED, and changes one operator, constant
or statement at each. Such a mutant is compiled and linked before the archive of the unchanged
library, with one test program after another, until a test fails: the mutant is killed. Only tests
that execute the changed line are run; a build with gcov in $BUILD/coverage finds them. If all of
them pass, they are run again with ASan and UBSan, as `make check-lib` does, in $BUILD/asan, and then
the tests of the tools, examples and front ends in a copy of the tree. If all tests pass again, the
mutant survives, unless it has no effect: the compiler produces the same code from it, or
scripts/mutants.equivalent lists it.

Builds the library and its tests in $BUILD first. Results are stored in $BUILD/mutants/SEED.tsv, and
an interrupted run is resumed; remove the file after a change of the sources. Status 1: more than
5 % of the non-equivalent mutants survive, or the unchanged library fails. --minutes stops early and
evaluates the available results. --longest omits tests that take more CPU time than that.
"""
import argparse
import collections
import concurrent.futures
import functools
import glob
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(os.environ.get('BUILD', os.path.join(TOP, 'build')))
WORK = os.path.join(BUILD, 'mutants')
SURVIVORS_MAX = 0.05

# LLVM's linker takes half the time of GNU ld.
LINKER = ['-fuse-ld=lld'] if shutil.which('ld.lld') else []

# Directories of code that also generates the tables of the library
WRITES_TABLES = ('base', 'report', 'table', 'definitions/language', 'definitions/compiler')

# Operators and constants, and their replacements
OPERATORS = [
    (r' < ', ' <= '), (r' <= ', ' < '), (r' > ', ' >= '), (r' >= ', ' > '), (r' == ', ' != '), (r' != ', ' == '),
    (r' && ', ' || '), (r' \|\| ', ' && '), (r' \+ ', ' - '), (r' - ', ' + '), (r' \+= ', ' -= '), (r' -= ', ' += '),
    (r' << ', ' >> '), (r' >> ', ' << '), (r' & ', ' | '), (r' \| ', ' & '), (r' \|= ', ' &= '), (r' / ', ' * '),
    (r' % ', ' / '), (r'\bif \(!', 'if ('), (r'\bif \((?!!)', 'if (!('), (r'\btrue\b', 'false'), (r'\bfalse\b', 'true'),
    (r'return 0;', 'return 1;'), (r'\+\+;', '--;'), (r'\b1\b', '2'), (r'\b0\b', '1'), (r'\bbreak;', ';'),
    (r'\bcontinue;', ';'),
]
STATEMENT = re.compile(r'\t+(?!return\b|if\b|for\b|while\b|switch\b|case\b|else\b)[A-Za-z_][\w.>\[\]-]*(\(.*\)|(\+\+|--)| [-+|&]?= [^;]*);$')

Mutant = collections.namedtuple('Mutant', 'path line old new')


def run(command, seconds, memory=8 << 30, cwd=TOP, **options):
    """Run a command with limits of CPU time, real time and address space. Returns its status, None on a timeout."""
    def limit():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, preexec_fn=limit, **options)
    try:
        return process.wait(timeout=120 + 30 * seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


class Build:
    """A build of the library and its tests."""

    def __init__(self, directory, *options, memory=8 << 30):
        self.directory, self.options, self.memory = directory, ('BUILD=' + directory, *options), memory

    def make(self, *arguments):
        return subprocess.run(['make', '--no-print-directory', *self.options, *arguments], cwd=TOP, check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    @functools.lru_cache(None)
    def listed(self, variable):
        """Return a list of the Makefile."""
        return tuple(self.make('-s', 'print-' + variable).split())

    def tests(self):
        return [program for program in self.listed('LIB_TESTS') if program.startswith(self.directory + '/lib/tests/')]

    @functools.lru_cache(None)
    def commands(self):
        """Return the commands of a full rebuild, by output file."""
        sources = [*self.listed('LIB_SOURCES'), *self.listed('EXTRA_SOURCES'), *('lib/calc/columns/%s.c' % name for name in self.listed('VECTOR_SOURCES')),
                   'lib/metricsc/main.c', self.directory + '/lib/tables.c']
        goals = [*self.listed('LIB_OBJECTS'), *self.listed('EXTRA_OBJECTS'), *self.tests(), self.directory + '/lib/gpuoa-metricsc']
        lines = self.make('-n', *('-W' + source for source in sources), *goals).replace('\\\n', ' ').splitlines()
        found = [shlex.split(line) for line in lines if re.match(r'\S*(gcc|clang|cc) ', line)]
        return {command[command.index('-o') + 1]: command for command in found if '-o' in command}


# ASan reserves terabytes of address space.
PLAIN = Build(BUILD)
SANITIZED = Build(BUILD + '/asan', 'SANITIZE=1', memory=resource.RLIM_INFINITY)
COVERAGE = Build(BUILD + '/coverage', 'CFLAGS=-O1 -g --coverage -fprofile-update=atomic', 'LDFLAGS=--coverage')


def executed_lines():
    """Return {path: {line: whether the lines were executed since the last call}}."""
    counts = glob.glob(COVERAGE.directory + '/lib/**/*.gcda', recursive=True)
    output = subprocess.run(['gcov', '--json-format', '--stdout', *counts], cwd=TOP, check=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout if counts else b''
    lines = collections.defaultdict(dict)
    for document in output.splitlines():
        for file in json.loads(document)['files']:
            for line in file['lines']:
                before = lines[file['file']].get(line['line_number'], False)
                lines[file['file']][line['line_number']] = before or line['count'] > 0
    for name in counts:
        os.unlink(name)
    return lines


def executed_by(program):
    """Run a test with gcov. Returns {path: {line: whether the test executes it}}; if it fails, it executes all."""
    kept = os.path.join(WORK, 'reach', os.path.basename(program) + '.json')
    if os.path.exists(kept) and os.path.getmtime(kept) > os.path.getmtime(program):
        with open(kept) as file:
            return json.load(file)
    executed_lines()
    failed = run([program], 3600)
    found = {path: {str(line): executed or bool(failed) for line, executed in lines.items()}
             for path, lines in executed_lines().items()}
    os.makedirs(os.path.dirname(kept), exist_ok=True)
    with open(kept, 'w') as file:
        json.dump(found, file)
    return found


def reach(jobs):
    """Return {path: {line: names of the tests that execute it}}; line '0' has the tests that execute any line."""
    COVERAGE.make('-s', '-j%d' % jobs, *COVERAGE.tests())
    reached = collections.defaultdict(lambda: collections.defaultdict(list))
    for program in COVERAGE.tests():
        for path, lines in executed_by(program).items():
            for line, executed in {**lines, '0': any(lines.values())}.items():
                reached[path][line] += [os.path.basename(program)] if executed else []
    return reached


def places():
    """Return all possible mutants."""
    sources = PLAIN.listed('LIB_SOURCES') + PLAIN.listed('EXTRA_SOURCES') + PLAIN.listed('VECTOR_SOURCES')
    found = []
    for name in sources:
        path = name if name.endswith('.c') else 'lib/calc/columns/%s.c' % name
        with open(os.path.join(TOP, path)) as file:
            lines = file.read().split('\n')
        for number, line in enumerate(lines):
            text = line.strip()
            if not line.startswith('\t') or text.startswith(('*', '/*', '//', '#')) or '"' in line or 'static' in line:
                continue
            for old, new in OPERATORS:
                for match in re.finditer(old, line.split('/*')[0]):
                    changed = line[:match.start()] + new + line[match.end():]
                    if new == 'if (!(':
                        if not line.endswith((')', ') {')) or line.count('(') != line.count(')'):
                            continue
                        end = line.rindex(')')
                        changed = changed[:end + 2] + ')' + changed[end + 2:]
                    found.append(Mutant(path, number + 1, line, changed))
            # A pattern for a complete statement on one line
            before = lines[number - 1].strip()
            if STATEMENT.match(line) and (not before or before.endswith((';', '{', '}', ')', ':', '*/', 'else'))):
                found.append(Mutant(path, number + 1, line, line[:len(line) - len(line.lstrip())] + ';'))
    return found


def draw(count, seed):
    """Return @count mutants in random order, at most one per line."""
    drawn, lines = [], set()
    candidates = places()
    for mutant in random.Random(seed).sample(candidates, len(candidates)):
        if (mutant.path, mutant.line) not in lines:
            lines.add((mutant.path, mutant.line))
            drawn.append(mutant)
        if len(drawn) == count:
            break
    return drawn


class Tests:
    """The test programs of a build: link commands and CPU times."""

    def __init__(self, build, reached, longest):
        self.build, self.reached, self.longest = build, reached, longest
        self.kills = collections.Counter()
        self.links, self.seconds = {}, {}
        for program in build.tests():
            self.links[os.path.basename(program)] = build.commands()[program]
        self.lock = threading.Lock()
        self.measuring = collections.defaultdict(threading.Lock)
        self.broken = set()

    def link(self, name, objects, directory):
        """Link a test with objects that replace the library's. Returns its path, None on error."""
        link, program = list(self.links[name]), os.path.join(directory, name)
        link[link.index('-o') + 1] = program
        # Link the mutated object before the archive, so that the original one in the archive is not
        # used. Linking without debug information takes half the time.
        return None if run([link[0], *LINKER, '-Wl,--strip-debug', *objects, *link[1:]], 120) else program

    def run(self, program, seconds):
        status = run([program], seconds, self.build.memory)
        os.unlink(program)
        return status

    def measure(self, program):
        """Return the status and the CPU time of a test, and delete it."""
        process = subprocess.Popen([program], cwd=TOP, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        os.unlink(program)
        return status, usage.ru_utime + usage.ru_stime

    def limit(self, name, directory):
        """Return the CPU limit of a test: ten times its unmutated time; 0 if it fails unmutated or takes too long."""
        with self.measuring[name]:
            if name not in self.seconds:
                program = self.link(name, [], directory)
                status, used = self.measure(program)
                if status:
                    print('%s fails without any change' % name, flush=True)
                    self.broken.add(name)
                self.seconds[name] = 0 if status or used > self.longest else int(10 * used) + 5
            return self.seconds[name]

    def of(self, mutant):
        """
        Return the tests that execute the mutated line, the most likely to fail first. If there is no code of this
        line, as of the second line of a statement, return the tests that execute any line of the file.
        """
        layer = os.path.dirname(mutant.path)[len('lib/'):]
        words = re.findall(r'[a-z0-9]+', mutant.path[len('lib/'):-2])
        lines = self.reached.get(mutant.path, {})

        def likely(name):
            same = sum(word in name or name[:-len('_test')] in word for word in words)
            with self.lock:
                return (-self.kills[layer, name], -same, self.seconds.get(name, 60))
        return sorted(lines.get(str(mutant.line), lines.get('0', [])), key=likely)

    def all(self):
        return sorted(self.links, key=lambda name: self.seconds.get(name, 60))

    def killed(self, mutant, name):
        with self.lock:
            self.kills[os.path.dirname(mutant.path)[len('lib/'):], name] += 1


# Without debug information and most optimizations, compiling takes half the time.
def compile_mutant(build, mutant, directory, options=('-O1', '-g0')):
    """Compile the mutant in @directory. Returns its objects, None on failure."""
    source = os.path.join(TOP, mutant.path)
    changed = os.path.join(directory, 'mutant.c')
    with open(source) as file:
        lines = file.read().split('\n')
    if lines[mutant.line - 1] != mutant.old:
        raise RuntimeError(mutant.path + ' has changed since this run began')
    lines[mutant.line - 1] = mutant.new
    with open(changed, 'w') as file:
        file.write('#line 1 "%s"\n' % mutant.path + '\n'.join(lines))
    results = []
    # Compile with one command, or with one per vector ISA.
    for command in [c for c in build.commands().values() if '-c' in c and mutant.path in c]:
        result = os.path.join(directory, '%d.o' % len(results))
        command = [changed if a == mutant.path else a for a in command if a not in ('-MMD', '-MP', '-Werror')]
        command[command.index('-o') + 1] = result
        command += options
        # Relative includes refer to the directory of the source.
        if run([*command, '-iquote', os.path.dirname(source)], 300):
            return None
        results.append(result)
    return results


def has_effect(build, mutant, directory):
    """Return whether the compiler's code changes with the mutant."""
    codes = []
    for each in (mutant, mutant._replace(new=mutant.old)):
        codes.append([])
        for name in compile_mutant(build, each, directory, ('-O2', '-g0')):
            with open(name, 'rb') as file:
                codes[-1].append(file.read())
    return codes[0] != codes[1]


def compile_tables(build, objects, directory):
    """Generate the tables with a mutant compiler. Returns their objects, None on failure."""
    link = list(build.commands()[build.directory + '/lib/gpuoa-metricsc'])
    program, tables = os.path.join(directory, 'metricsc'), os.path.join(directory, 'tables.bin')
    link[link.index('-o') + 1] = program
    # The linker uses the first of two definitions.
    link[1:1] = [*objects, '-Wl,--allow-multiple-definition']
    if run(link, 120) or run([program, tables, *build.listed('LIB_DEFINITIONS')], 60, build.memory):
        return None
    built = build.directory + '/lib/tables.bin'
    with open(tables, 'rb') as new, open(built, 'rb') as old:
        if new.read() == old.read():
            return []
    command = [a.replace(built, tables) for a in build.commands()[build.directory + '/lib/tables.o'] if a not in ('-MMD', '-MP')]
    command[command.index('-o') + 1] = os.path.join(directory, 'tables.o')
    return None if run(command, 300) else [os.path.join(directory, 'tables.o')]


class OtherTests:
    """The tests of `make check-lib` that are not programs of lib/tests, in a copy of the tree."""

    # These build the tree again, or only read the sources.
    OMITTED = ('build_test.sh', 'new_platform_test.sh', 'install_test.sh', 'public_use_test.sh', 'splats_test.sh')

    def __init__(self, jobs):
        self.directory, self.jobs = os.path.join(WORK, 'tree'), jobs
        self.build = self.directory + '/build'
        self.names, self.seconds, self.broken = None, {}, set()
        self.lock = threading.Lock()

    def make(self):
        return run(['make', '-s', '-j%d' % self.jobs, 'BUILD=' + self.build, 'WERROR=0', 'tests'], 3600, cwd=self.directory)

    def programs(self):
        names = [name.replace(BUILD, self.build) for name in PLAIN.listed('LIB_TESTS') if name not in PLAIN.tests()]
        return [name for name in names if os.path.basename(name) not in self.OMITTED]

    def run(self, name):
        return run([name], 600, cwd=self.directory, env={**os.environ, 'BUILD': self.build})

    def prepare(self):
        """Copy and build the tree. Tests that fail there without any change are left out."""
        shutil.rmtree(self.directory, ignore_errors=True)
        shutil.copytree(TOP, self.directory, symlinks=True, ignore=lambda path, names:
                        [name for name in names if name == '.git' or os.path.join(path, name) == BUILD])
        if self.make():
            raise RuntimeError('the copy of the tree in %s cannot be built' % self.directory)
        for name in self.programs():
            began = time.monotonic()
            if self.run(name):
                print('%s fails without any change' % name, flush=True)
                self.broken.add(name)
            self.seconds[name] = time.monotonic() - began
        self.names = sorted(set(self.seconds) - self.broken, key=self.seconds.get)

    def detect(self, mutant):
        """Return the name of the first test that fails with the mutant, None if all pass."""
        path = os.path.join(self.directory, mutant.path)
        with self.lock:
            if self.names is None:
                self.prepare()
            with open(path) as file:
                original = file.read()
            lines = original.split('\n')
            lines[mutant.line - 1] = mutant.new
            try:
                with open(path, 'w') as file:
                    file.write('\n'.join(lines))
                if self.make():
                    return 'build'
                return next((os.path.basename(name) for name in self.names if self.run(name)), None)
            finally:
                # The next build compiles this file again, since it is newer now.
                with open(path, 'w') as file:
                    file.write(original)


def judge(tests, mutant, directory):
    """Test a mutant. Returns (killed, survived or invalid, the test that killed it or a note)."""
    os.makedirs(directory, exist_ok=True)
    objects, tables = compile_mutant(tests.build, mutant, directory), []
    if objects is None:
        return 'invalid', ''
    if os.path.dirname(mutant.path)[len('lib/'):] in WRITES_TABLES:
        tables = compile_tables(tests.build, objects, directory)
        if tables is None:
            return 'killed', 'gpuoa-metricsc'
    names = tests.all() if tables else tests.of(mutant)
    for name in names:
        seconds = tests.limit(name, directory)
        program = seconds and tests.link(name, objects + tables, directory)
        if program is None:
            return 'invalid', 'does not link'
        if not seconds:
            continue
        if tests.run(program, seconds) != 0:
            tests.killed(mutant, name)
            return 'killed', name
    return 'survived', '' if names else 'no test executes it'


@functools.lru_cache(None)
def functions(path):
    """Return the function's name for each line of a file."""
    names, name = [], ''
    with open(os.path.join(TOP, path)) as file:
        for line in file:
            start = re.match(r'(?=[a-z]).*?(\w+)\((?!.*;$)', re.sub(r'__attribute__\(\(.*\)\)', '', line.rstrip()))
            name = start.group(1) if start else name
            names.append(name)
    return names


def equivalents():
    """Return (path, function or '', old line, new line) of equivalent mutants."""
    with open(os.path.join(TOP, 'scripts/mutants.equivalent')) as file:
        lines = [line.rstrip('\n').split('\t') for line in file if line.strip() and not line.startswith('#')]
    return {(*path.partition(':')[::2], old, new) for path, old, new, _ in lines}


def is_listed(mutant, listed):
    """Return whether equivalents() has the mutant."""
    key = mutant.old.strip(), mutant.new.strip()
    return any((mutant.path, name, *key) in listed for name in ('', functions(mutant.path)[mutant.line - 1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--minutes', type=float, default=float('inf'))
    parser.add_argument('--longest', type=float, default=float('inf'))
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    os.makedirs(WORK, exist_ok=True)
    for build in (PLAIN, SANITIZED):
        build.make('-s', '-j%d' % options.jobs, *build.tests())
    kept = os.path.join(WORK, '%d.tsv' % options.seed)
    done = {}
    if os.path.exists(kept):
        with open(kept) as file:
            for line in file:
                path, number, old, new, result, by = line.rstrip('\n').split('\t')
                done[path, old.strip(), new.strip()] = result
    reached = reach(options.jobs)
    tests, sanitized = (Tests(build, reached, options.longest) for build in (PLAIN, SANITIZED))
    others = OtherTests(options.jobs)
    slots = list(range(options.jobs))
    without_effect = equivalents()
    lock = threading.Lock()

    def one(mutant):
        key = mutant.path, mutant.old.strip(), mutant.new.strip()
        if key in done or time.monotonic() > end:
            return
        with lock:
            slot = slots.pop()
        directory = os.path.join(WORK, 'slot%d' % slot)
        result, by = judge(tests, mutant, directory)
        if result == 'survived' and (is_listed(mutant, without_effect) or not has_effect(PLAIN, mutant, directory)):
            result = 'equivalent'
        if result == 'survived' and not by and judge(sanitized, mutant, directory)[0] == 'killed':
            result, by = 'killed', 'sanitizers'
        if result == 'survived' and (other := others.detect(mutant)):
            result, by = 'killed', other
        with lock:
            slots.append(slot)
            done[key] = result
            print('%-10s %s:%d: %s -> %s%s' % (result, mutant.path, mutant.line, key[1], key[2], by and ' (%s)' % by),
                  flush=True)
            with open(kept, 'a') as file:
                file.write('\t'.join((mutant.path, str(mutant.line), key[1], key[2], result, by)) + '\n')

    drawn = draw(options.count, options.seed)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, drawn))
    results = collections.Counter()
    for mutant in drawn:
        key = mutant.path, mutant.old.strip(), mutant.new.strip()
        result = done.get(key, 'not run')
        results['equivalent' if result == 'survived' and is_listed(mutant, without_effect) else result] += 1
    judged = results['killed'] + results['survived']
    print('%d mutants of seed %d: %d killed, %d survived, %d equivalent, %d do not compile, %d not run' % (
        len(drawn), options.seed, results['killed'], results['survived'], results['equivalent'], results['invalid'],
        results['not run']))
    return 1 if tests.broken or sanitized.broken or others.broken or results['survived'] > SURVIVORS_MAX * judged else 0


sys.exit(main())
