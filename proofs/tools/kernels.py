"""The KERNEL functions of cuda/: where each stands, its parameters, its contract."""
import glob
import itertools
import os
import re

import acsl
from framac import Failure


class Kernel:
    """A __global__ function: where it stands, what nvcc and what the prover calls it."""

    def __init__(self, path, name, function, constants, ghosts, known=None):
        self.path, self.name, self.function = path, name, function
        self.constants, self.ghosts, self.known = constants, ghosts, known or {}
        self.survey = None


def names_in(text):
    """The last word of each part of a list of parameters."""
    return [re.findall(r"\w+", part)[-1] for part in text.split(",") if part.strip()]


def find(root):
    """Every KERNEL of cuda/, instances of an included text by the names that they are given."""
    texts = {os.path.relpath(p, root): open(p).read()
             for pattern in ("cuda/*/*.cu", "cuda/*/*.h") for p in sorted(glob.glob(os.path.join(root, pattern)))
             if "/lang/" not in p}
    everything, found = "\n".join(texts.values()), []
    for path, text in texts.items():
        for m in re.finditer(r"^KERNEL void ([^;{}]*?)(?:;\s*#else\s*)?\{", text, re.M):
            names = [n for n in re.findall(r"(\w+)\s*\(", m[1]) if not n.isupper() and n != "__launch_bounds__"
                     or n.endswith("_NAME")]
            before = re.search(r"TEMPLATE\(([^)]*)\)\s*(?:/\*@(?:(?!\*/).)*\*/\s*)?$", text[:m.start()], re.S)
            lists = [names_in("".join(re.findall(word + r"\(([^)]*)\)", m[1])))
                     for word in ("CONSTANTS", "GHOST_PARAMS")]
            typeless = re.sub(r"\bclass \w+,?", "", before[1] if before else "")
            if lists[0] != names_in(typeless) and lists[0]:
                raise Failure("%s: %s: TEMPLATE and CONSTANTS differ" % (path, names[0]))
            if names[0] == "MAP_NAME":
                found += map_instances(path, everything)
            elif names[0].endswith("_NAME"):
                found += [Kernel(path, n, n, *lists)
                          for n in re.findall(r"#define %s (\w+)" % names[0], everything)]
            else:
                found.append(Kernel(path, names[0], names[0], *lists))
    return sorted(found, key=lambda k: k.name)


def map_instances(path, text):
    """cuda/map/map.h: proven once, for inputs of kinds that an instance's constants say."""
    found = []
    for name, words in re.findall(r"#define MAP_NAME (\w+_map)\n(.*?)#include \"\S*map\.h\"", text, re.S):
        inputs = int(re.search(r"#define MAP_INPUTS (\d)", words)[1])
        kinds = ["MAP_EACH"] * inputs + ["MAP_NONE"] * (3 - inputs)
        if re.search(r"#define MAP_ONE\b", words):
            kinds[0] = "MAP_SAME"
        two = bool(re.search(r"#define MAP_F1\b", words))
        found.append(Kernel(path, name, "map2" if two else "map1", [], [],
                            {"K%d" % i: ("id", k) for i, k in enumerate(kinds)}))
    return found


def instances(root):
    """{name of an instance of cuda/map/map.h: (what the prover calls its text, {abstract kind: its own})}"""
    return {k.name: (k.function, {kind: value[1] for kind, value in k.known.items()}) for k in find(root) if k.known}


def read_head(kernel):
    """[(type, name)] of its parameters, as Frama-C prints them."""
    head = kernel.survey.contracts()[kernel.function][0]
    return [(" ".join(re.sub(r"\bconst\b|\bstruct\b", "", p).split()[:-1]) +
             (" *" if "*" in p and not p.split()[-2].endswith("*") else ""), names_in(p)[0])
            for p in head[head.index("(") + 1:head.rindex(")")].split(",")]


def requires_of(kernel):
    contract = kernel.survey.contract(kernel.function)
    first = itertools.takewhile(lambda clause: clause[0] == "requires", acsl.clauses(contract))
    found = [acsl.stateless(acsl.parse(text)) for _, text in first]
    if len(found) != len(re.findall(r"\b(?:requires|assumes)\b", contract)):
        raise Failure("%s: %s: requirements that do not come first in the contract, or a behavior's"
                      % (kernel.path, kernel.name))
    return found


def attach(found, surveys):
    """Each kernel's survey: the smallest unit that has its contract; of several they must agree."""
    for k in found:
        units = [s for s in surveys if s.unit.reading == "cuda" and k.function in s.defined and s.contract(k.function)]
        said = {" ".join(s.contract(k.function).split()) for s in units}
        if len(said) > 1:
            raise Failure("%s: %s has %d contracts: %s" % (k.path, k.name, len(said),
                                                           ", ".join(s.unit.name for s in units)))
        if units:
            k.survey = min(units, key=lambda s: (len(s.ast), s.unit.name))
