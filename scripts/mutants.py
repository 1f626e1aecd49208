#!/usr/bin/env python3
"""Mutation test of the library: change one line of lib/ at a time and run the host tests

mutants.py [--count N] [--seed SEED] [--jobs N] [--minutes N]

Selects N random places in the sources of the library, by SEED, and changes one operator, constant
or statement at each. Such a mutant is compiled and linked before the archive of the unchanged
library, with one test program after another, until a test fails: the mutant is killed. If all tests
pass, it survives, unless scripts/mutants.equivalent lists it as a change without effect.

Builds the library and its tests in $BUILD first. Results are stored in $BUILD/mutants/SEED.tsv, and
an interrupted run is resumed; remove the file after a change of the sources. Status 1: more than
5 % of the non-equivalent mutants survive, or the unchanged library fails. --minutes stops early and
evaluates the available results.
"""
import argparse
import collections
import concurrent.futures
import functools
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(os.environ.get('BUILD', os.path.join(TOP, 'build')))
WORK = os.path.join(BUILD, 'mutants')
SURVIVORS_MAX = 0.05

# Tests that take half a minute of CPU time, and for each one the only directories that it covers
SLOW = {
    'rpn_oracle_test': ('calc', 'metadata', 'definitions'),
    'libi915_perf_test': ('calc', 'report'),
    'decode_oracle_test': ('calc', 'metadata'),
    'definitions_limits_test': ('definitions', 'base', 'custom'),
    'vector_test': ('calc',),
    'op_chain_test': ('calc',),
}
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


def run(command, seconds, **options):
    """Run a command with limits of CPU and real time. Returns its status, None on a timeout."""
    def limit():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    process = subprocess.Popen(command, cwd=TOP, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, preexec_fn=limit, **options)
    try:
        return process.wait(timeout=120 + 30 * seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


def make(*arguments):
    return subprocess.run(['make', '--no-print-directory', 'BUILD=' + BUILD, *arguments], cwd=TOP, check=True,
                          stdout=subprocess.PIPE, text=True).stdout


@functools.lru_cache(None)
def listed(variable):
    """Return a list of the Makefile."""
    return tuple(make('-s', 'print-' + variable).split())


def tests_of_library():
    return [program for program in listed('LIB_TESTS') if program.startswith(BUILD + '/lib/tests/')]


@functools.lru_cache(None)
def commands():
    """Return the commands of a full rebuild, by output file."""
    sources = [*listed('LIB_SOURCES'), *('lib/calc/columns/%s.c' % name for name in listed('VECTOR_SOURCES')),
               'lib/metricsc/main.c', BUILD + '/lib/tables.c']
    goals = [*listed('LIB_OBJECTS'), *tests_of_library(), BUILD + '/lib/gpuoa-metricsc']
    lines = make('-n', *('-W' + source for source in sources), *goals).replace('\\\n', ' ').splitlines()
    found = [shlex.split(line) for line in lines if re.match(r'\S*(gcc|clang|cc) ', line)]
    return {command[command.index('-o') + 1]: command for command in found if '-o' in command}


def places():
    """Return all possible mutants."""
    sources = listed('LIB_SOURCES') + listed('VECTOR_SOURCES')
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
                for match in re.finditer(old, line):
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
    """The test programs: link commands and CPU times."""

    def __init__(self):
        self.kills = collections.Counter()
        self.links, self.seconds = {}, {}
        for program in tests_of_library():
            self.links[os.path.basename(program)] = commands()[program]
        self.lock = threading.Lock()
        self.measuring = collections.defaultdict(threading.Lock)
        self.broken = set()

    def link(self, name, objects, directory):
        """Link a test with objects that replace the library's. Returns its path, None on error."""
        link, program = list(self.links[name]), os.path.join(directory, name)
        link[link.index('-o') + 1] = program
        # Link the mutated object before the archive, so that the original one in the archive is not
        # used.
        return None if run([link[0], *objects, *link[1:]], 120) else program

    def limit(self, name, directory):
        """Return the CPU limit of a test: ten times its unmutated time; 0 if it fails unmutated."""
        with self.measuring[name]:
            if name not in self.seconds:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                program = self.link(name, [], directory)
                status = run([program], 600)
                os.unlink(program)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                if status:
                    print('%s fails without any change' % name, flush=True)
                    self.broken.add(name)
                self.seconds[name] = 0 if status else int(10 * used) + 5
            return self.seconds[name]

    def of(self, mutant):
        """Return the tests that may kill the mutant, the most likely ones first."""
        layer = os.path.dirname(mutant.path)[len('lib/'):]
        words = re.findall(r'[a-z0-9]+', mutant.path[len('lib/'):-2])

        def likely(name):
            same = sum(word in name or name[:-len('_test')] in word for word in words)
            with self.lock:
                return (-self.kills[layer, name], -same, self.seconds.get(name, 60))
        names = [n for n in self.links if n not in SLOW or layer.startswith(SLOW[n])]
        return sorted(names, key=likely)

    def killed(self, mutant, name):
        with self.lock:
            self.kills[os.path.dirname(mutant.path)[len('lib/'):], name] += 1


def compile_mutant(mutant, directory):
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
    for command in [c for c in commands().values() if '-c' in c and mutant.path in c]:
        result = os.path.join(directory, '%d.o' % len(results))
        command = [changed if a == mutant.path else a for a in command if a not in ('-MMD', '-MP', '-Werror')]
        command[command.index('-o') + 1] = result
        # Relative includes refer to the directory of the source.
        if run([*command, '-iquote', os.path.dirname(source)], 300):
            return None
        results.append(result)
    return results


def compile_tables(objects, directory):
    """Generate the tables with a mutant compiler. Returns their objects, None on failure."""
    link = list(commands()[BUILD + '/lib/gpuoa-metricsc'])
    program, tables = os.path.join(directory, 'metricsc'), os.path.join(directory, 'tables.bin')
    link[link.index('-o') + 1] = program
    # The linker uses the first of two definitions.
    link[1:1] = [*objects, '-Wl,--allow-multiple-definition']
    if run(link, 120) or run([program, tables, *listed('LIB_DEFINITIONS')], 60):
        return None
    built = BUILD + '/lib/tables.bin'
    with open(tables, 'rb') as new, open(built, 'rb') as old:
        if new.read() == old.read():
            return []
    command = [a.replace(built, tables) for a in commands()[BUILD + '/lib/tables.o'] if a not in ('-MMD', '-MP')]
    command[command.index('-o') + 1] = os.path.join(directory, 'tables.o')
    return None if run(command, 300) else [os.path.join(directory, 'tables.o')]


def judge(tests, mutant, directory):
    """Test a mutant. Returns (killed, survived or invalid, name of the test that killed it)."""
    os.makedirs(directory, exist_ok=True)
    objects = compile_mutant(mutant, directory)
    if objects is None:
        return 'invalid', ''
    if os.path.dirname(mutant.path)[len('lib/'):] in WRITES_TABLES:
        tables = compile_tables(objects, directory)
        if tables is None:
            return 'killed', 'gpuoa-metricsc'
        objects += tables
    for name in tests.of(mutant):
        seconds = tests.limit(name, directory)
        program = seconds and tests.link(name, objects, directory)
        if program is None:
            return 'invalid', 'does not link'
        if not seconds:
            continue
        status = run([program], seconds)
        os.unlink(program)
        if status != 0:
            tests.killed(mutant, name)
            return 'killed', name
    return 'survived', ''


def equivalents():
    """Return (path, old line, new line) of equivalent mutants."""
    with open(os.path.join(TOP, 'scripts/mutants.equivalent')) as file:
        lines = [line.rstrip('\n').split('\t') for line in file if line.strip() and not line.startswith('#')]
    return {(path, old, new) for path, old, new, _ in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--minutes', type=float, default=float('inf'))
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    os.makedirs(WORK, exist_ok=True)
    make('-s', '-j%d' % options.jobs, 'lib', 'tests')
    kept = os.path.join(WORK, '%d.tsv' % options.seed)
    done = {}
    if os.path.exists(kept):
        with open(kept) as file:
            for line in file:
                path, number, old, new, result, by = line.rstrip('\n').split('\t')
                done[path, old.strip(), new.strip()] = result
    tests = Tests()
    slots = list(range(options.jobs))
    without_effect = equivalents()
    lock = threading.Lock()

    def one(mutant):
        key = mutant.path, mutant.old.strip(), mutant.new.strip()
        if key in done or time.monotonic() > end:
            return
        with lock:
            slot = slots.pop()
        result, by = judge(tests, mutant, os.path.join(WORK, 'slot%d' % slot))
        if result == 'survived' and key in without_effect:
            result = 'equivalent'
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
        results['equivalent' if result == 'survived' and key in without_effect else result] += 1
    judged = results['killed'] + results['survived']
    print('%d mutants of seed %d: %d killed, %d survived, %d equivalent, %d do not compile, %d not run' % (
        len(drawn), options.seed, results['killed'], results['survived'], results['equivalent'], results['invalid'],
        results['not run']))
    return 1 if tests.broken or results['survived'] > SURVIVORS_MAX * judged else 0


sys.exit(main())
