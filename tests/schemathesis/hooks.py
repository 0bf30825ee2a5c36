"""Gives schemathesis values that the sandbox knows, so that its cases come further than a refusal.

The environment's KNOWN is a JSON object: the name of a field or parameter with values that exist. Every fourth
value stays as schemathesis made it. The choice hangs on the operation and the number of its case alone, so that a
seed makes the same run.
"""

import ast
import collections
import functools
import json
import os
import threading
import zlib

import schemathesis

KNOWN = json.loads(os.environ.get("KNOWN", "{}"))
cases = collections.Counter()


def one_at_a_time(function):
    """CPython counts the depth of a parse in a place that all threads share: two parses at once, which hypothesis
    makes with two workers, end in `SystemError: AST constructor recursion depth mismatch` (seen with 3.11.7)."""
    lock = threading.RLock()

    @functools.wraps(function)
    def alone(*args, **kwargs):
        with lock:
            return function(*args, **kwargs)

    return alone


ast.parse = one_at_a_time(ast.parse)


class Filler:
    """The choices of one case."""

    def __init__(self, case):
        label = f"{case.method} {case.path}"
        cases[label] += 1
        self.path = case.path
        self.seed = f"{label} {cases[label]}"

    def chosen(self, name, value):
        values = KNOWN.get(name)
        if not values:
            return value
        number = zlib.crc32(f"{self.seed} {name}".encode())
        return value if number % 4 == 0 else values[number // 4 % len(values)]

    def filled(self, name, value):
        """A list is chosen as a whole where KNOWN has whole lists of this name."""
        if isinstance(value, dict):
            return {key: self.filled(key, inner) for key, inner in value.items()}
        if isinstance(value, list) and not isinstance(KNOWN.get(name, [None])[0], list):
            return [self.filled(name, inner) for inner in value]
        return self.chosen(name, value)

    def in_path(self, name):
        """An `id` is another thing in every path; KNOWN names it by the beginning of the path."""
        places = [start for start in KNOWN if start.startswith("/") and self.path.startswith(start)]
        return max(places, key=len) if name == "id" and places else name


@schemathesis.hook
def before_call(context, case, kwargs):
    filler = Filler(case)
    if isinstance(case.body, (dict, list)):
        case.body = filler.filled("", case.body)
    if case.method == "POST":
        case.headers = {**(case.headers or {}), "X-Idempotency-key": filler.seed.replace(" ", "")[-60:]}
    if case.query:
        case.query = {name: filler.filled(name.removesuffix("[]"), value) for name, value in case.query.items()}
    if case.path_parameters:
        case.path_parameters = {
            name: filler.chosen(filler.in_path(name), value) for name, value in case.path_parameters.items()
        }
