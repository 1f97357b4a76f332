"""Which kernels a launcher starts, itself or through the functions that it calls: of a .cu file as the
simulator's compiler reads it, macros expanded (coverage.py)."""
import re

from lint_kernels import File, name_of

LAUNCH = re.compile(r"\[=\]\s*\{\s*\(?\s*(\w+)")
CALL = re.compile(r"\b(\w+)\s*(?:<[^;{}()]*>)?\s*\(")


def kernels(text):
    """{function: the kernels that it starts}"""
    starts, calls = {}, {}
    f = File("", text, False)
    for start, end, head in f.functions():
        name, body = name_of(head), f.text[start:end]
        starts.setdefault(name, set()).update(LAUNCH.findall(body))
        calls.setdefault(name, set()).update(CALL.findall(body))
    found = {}
    for name in starts:
        seen, todo = set(), [name]
        while todo:
            n = todo.pop()
            if n in starts and n not in seen:
                seen.add(n)
                todo += calls[n]
        found[name] = set().union(*(starts[n] for n in seen))
    return found
