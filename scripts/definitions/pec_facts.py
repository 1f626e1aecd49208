#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pec_facts.py FILE - write lib/tests/pec_events.facts from the vendor's list of PEC events

FILE is instrumentation/metrics_discovery/codegen/md_external_events.cpp of the Metrics Discovery
API. lib/extra/custom/events_xe2.def has the same facts; the test pec_events_test compares both.
"""
import ast
import csv
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RESULT = os.path.join(TOP, 'lib/tests/pec_events.facts')
HW_UNITS = {'0': 'gpu', '1': 'slice', '2': 'subslice', '3': 'subslice_bank', '4': 'eu'}
NORMALIZATIONS = 'UARB'
FLEXIBLE = 4  # bit of the group mask
HEADER = '''\
# SPDX-License-Identifier: MIT
# The events of PEC counters as the Metrics Discovery API lists them (revision 80cc115), for tests only.
# Written by scripts/definitions/pec_facts.py.
# Columns, with tabs between them:
#   symbol, name, group, unit that has the event, units of measure, part of the hardware,
#   encoding, filter, counters (1: PEC0 to PEC31, 2: PEC32 to PEC63, F: PEC7 to PEC20),
#   reports that have the event (R: render, C: compute, G: whole GPU), kind of part or 0,
#   normalizations (U: utilization, A: average, R: rate, B: byte), corrections of the count or -:
#   always, if one part is counted (part), or for utilizations (utilization); platforms
'''


def table(text, name):
    """Return the rows of one table, which is a C string with comma-separated values."""
    match = re.search(r'::%s\[\d+\] = (.*?);\n\n' % name, text + '\n\n', re.DOTALL)
    strings = re.findall(r'"(?:[^"\\]|\\.)*"', match.group(1))
    return list(csv.DictReader(''.join(map(ast.literal_eval, strings)).splitlines()))


def corrections(rows, platform, arch, hw):
    """Return corrections of the count, and whether only flexible counters count the event."""
    flexible = False
    result = []
    for row in rows:
        if platform not in row['Project'].split():
            continue
        if row['Event'] not in ('Arch:' + arch, 'Hw:' + hw):
            continue
        number, operator = row['Equation'].split()
        flexible |= row['Type'] == '2'
        if number != '1':
            condition = {'1': '', '2': '', '3': 'part ', '4': 'utilization '}[row['Type']]
            result.append(condition + {'UMUL': '* ', 'UDIV': '// '}[operator] + number)
    return ', '.join(result) or '-', flexible


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        text = file.read()
    events = table(text, 'archEvents')
    workarounds = table(text, 'workarounds')
    lines = {}
    for row in table(text, 'hwEvents'):
        arch, symbol = row['Architectural Event Name'], row['Hw Event Name']
        for platform in row['Project'].split():
            event, = [e for e in events if e['Architectural Event Name'] == arch and
                      platform in e['Project'].split()]
            correction, flexible = corrections(workarounds, platform, arch, symbol)
            groups = int(event['Group Mask'])
            if groups & FLEXIBLE and row['Filter Value'] != '0':
                flexible = True
            normalization = int(event['Normalization'])
            line = '\t'.join([
                symbol, row['Hw Event Short Name'], event['Group Name'], event['Instance'] or '-',
                event['Metric Result Units'], HW_UNITS[event['Hw Unit Type']],
                '%04x' % int(event['Event Encoding']), row['Filter Value'],
                '2' if groups == 2 else 'F' if flexible else '1', event['OA Reporting'],
                event['Disaggregation Mode'] or '0',
                ''.join(c for i, c in enumerate(NORMALIZATIONS) if normalization >> i & 1) or '-',
                correction])
            lines.setdefault(line, []).append(platform.lower())
    with open(RESULT, 'w', encoding='utf-8') as file:
        file.write(HEADER)
        for line, platforms in lines.items():
            file.write('%s\t%s\n' % (line, ' '.join(platforms)))


main()
