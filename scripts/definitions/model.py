# SPDX-License-Identifier: MIT
"""model.py - platforms, sets and metrics, whatever file they come from"""
import copy

KINDS = {"NOA": "mux", "OA": "boolean", "FLEX": "flex", "MERT": "boolean"}


class Metric:
    """A metric of a set. Equations are trees (equations.py), or None."""

    FIELDS = ("name", "group", "type", "units", "semantic", "equation", "max", "availability",
              "usage", "apis", "part", "low", "high")

    def __init__(self, symbol):
        self.symbol = symbol
        self.name = symbol
        self.group = None
        self.type = self.units = self.semantic = None
        self.equation = self.max = self.availability = None
        self.usage = frozenset()
        self.apis = frozenset()  # all
        self.part = "gpu"
        self.low = self.high = None
        self.alias = self.description = None

    def copy(self):
        return copy.copy(self)

    def differences(self, other):
        """Fields in which two metrics differ."""
        return [field for field in self.FIELDS if getattr(self, field) != getattr(other, field)]


class Set:
    def __init__(self, symbol):
        self.symbol = symbol
        self.name = symbol
        self.uuid = None
        self.own_uuid = False
        self.format = None
        self.apis = frozenset()
        self.unit = "OA"
        self.availability = None
        self.registers = []  # (kind, condition or None, ((address, value), ...))
        self.metrics = []


class Platform:
    def __init__(self, name):
        self.name = name
        self.title = name
        self.sets = []
        self.constants = {}
