"""Launches that are proven: which kernels a launcher of a unit with -DPROVE_LAUNCHERS starts, as Frama-C prints
it, itself or by what it calls, and launchers of other units that it calls;
and the contracts that it calls instances of cuda/map/map.h by.

launched.py --self-test   each rule is broken once; each must be found
"""
import re
import sys

SET = re.compile(r"\blaunch_on_\s*\((?:[^()]|\([^()]*\))*\);\s*(\w+)\s*\(")
LAUNCHER = "launch_"


def bare(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text or "", flags=re.S)


def of(survey):
    """{launcher: [kernels that it starts, and launchers of other units that it calls]}, of those with any."""
    return starts({f: bare(survey.definition(f)) for f in survey.defined})


def starts(bodies):
    def reached(function, seen):
        if function not in bodies or function in seen:
            return set()
        seen.add(function)
        text = bodies[function]
        called = set(re.findall(r"\b(%s\w+)\s*\(" % LAUNCHER, text)) - {"launch_on_"}
        found = set(SET.findall(text)) | (called - set(bodies))
        return found.union(*(reached(f, seen) for f in set(re.findall(r"\b(\w+)\s*\(", text)) - found))

    found = {f: sorted(reached(f, set())) for f in bodies if f.startswith(LAUNCHER) and f != "launch_on_"}
    return {f: kernels for f, kernels in found.items() if kernels}


def clauses(contract, kinds):
    """What a contract asks and writes, with the kinds of an instance put in and worked out."""
    text = " ".join(contract.split())
    for name, value in kinds.items():
        text = re.sub(r"\b%s\b" % name, value, text)
    text = re.sub(r"\b(\d) > (\d) ?\? (\w+) ?: (\w+)", lambda m: m[3 if m[1] > m[2] else 4], text)
    return [c for c in re.findall(r"\b(?:requires|assigns)\b[^;]*;", text)]


def instance_errors(surveys, instances):
    """A launcher calls an instance by the contract that map_proof.h proves, for its kinds. instances:
    {name: (function, {abstract kind: its own})}."""
    found = []
    for s in surveys:
        for name in sorted(set(s.declared) & set(instances)):
            function, kinds = instances[name]
            proven = next((t.contract(function) for t in surveys if t.contract(function)), "")
            if not proven or clauses(s.promise(name), {}) != clauses(proven, kinds):
                found.append("%s: %s is called by another contract than is proven of %s"
                             % (s.unit.name, name, function))
    return found


GOOD = {"launch_f": "{ launch_on_(blocks,(int)256,ex->stream); k(n); pass(n); }",
        "pass": "{ if (n) { launch_on_(g(1),(int)32,(void *)0); l(n); } }", "other": "{ pass(n); }",
        "launch_g": "{ launch_f(n); launch_h(n); }"}
MAP = "requires map_size(n, V, 8); requires reads_kind(x0, K0, n); assigns *(y0 + (0 .. n - 1)); ensures done;"
OWN = "requires map_size(n, V, 8); requires reads_kind(x0, 2 > 0? MAP_EACH: MAP_NONE, n); " \
      "assigns *(y0 + (0 .. n - 1)); ensures \\true;"


def self_test():
    if starts(GOOD) != {"launch_f": ["k", "l"], "launch_g": ["k", "l", "launch_h"]}:
        raise SystemExit("launched self-test: %s" % starts(GOOD))
    own = lambda text: clauses(text, {})
    wanted = clauses(MAP, {"K0": "MAP_EACH"})
    planted = [OWN.replace("8", "4"), OWN.replace("2 >", "0 >"), OWN.replace("n - 1", "n"),
               OWN.replace("requires map", "ensures map")]
    if own(OWN) != wanted or any(own(p) == wanted for p in planted):
        raise SystemExit("launched self-test: contracts of instances")
    print("launched self-test: %d faults planted, %d found" % (len(planted), len(planted)))


if __name__ == "__main__":
    if sys.argv[1:] != ["--self-test"]:
        raise SystemExit("launched.py --self-test")
    self_test()
