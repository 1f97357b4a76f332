"""Whether the hypotheses of each linked theorem can hold together. Used by theory.py.

A theorem with a hypothesis that is never true says nothing, and Coq proves it. So each theorem that
proofs/calculus or proofs/bounds calls linked has an instance, witness_THEOREM in proofs/link/Witnesses.v
or BoundWitnesses.v: the theorem, applied to arguments and to a proof of each hypothesis. What is left
to ask is looked up in its type, as Coq has it, by a file that is written here. It must not be a product:
a hypothesis that is added is then either one that the instance does not prove, or one that it leaves
open. The definitions that a statement is made of are unfolded for that, is_vjp among them, with the
domain that it has. proofs/unwitnessed lists the theorems that have no instance yet, and why."""
import os
import re

import link

HEAD = """(* Written by proofs/tools/witnessed.py. Do not edit. *)
From Theory Require Import %s.

Ltac theorem_of t := lazymatch t with ?f _ => theorem_of f | _ => t end.
Ltac asks_nothing theorem instance :=
  let found := theorem_of instance in constr_eq_strict found theorem;
  let said := type of instance in
  lazymatch said with
%s  | _ => let said := eval hnf in said in lazymatch said with
    | forall _, _ => fail 1 "the instance leaves a hypothesis open"
    | _ => exact I
    end
  end.
"""
# conclusions that are implications themselves, and the file that defines them
CONCLUSIONS = (("within_bound _ _ _", "BoundOps"),)
GOAL = """
Lemma whole_%s : True.
Proof. let t := eval cbv delta [witness_%s] in witness_%s in asks_nothing %s t. Qed.
"""


def rows(name):
    try:
        with open(os.path.join(link.ROOT, "proofs", name)) as f:
            return [[w.strip() for w in line.split("|")] for line in f if line.strip() and line[0] != "#"]
    except FileNotFoundError:
        return []


def linked():
    """{theorem: (the table that names it, its op, its files)} of the linked rows."""
    found = {}
    for table in ("calculus", "bounds"):
        for row in rows(table):
            if len(row) == 5 and row[1] == "linked":
                for theorem in row[2].split(", "):
                    found.setdefault(theorem, ("proofs/" + table, row[0], row[3].split(", ")))
    return found


def instances(witnesses):
    """The text of Instances.v, which finds what an instance leaves open; no text without one."""
    theorems = {t: where for t, where in linked().items() if "witness_" + t in witnesses}
    files = sorted({os.path.basename(f) for _, _, files in theorems.values() for f in files} |
                   {witnesses["witness_" + t] for t in theorems})
    if not theorems:
        return ""
    kept = "".join("  | %s => exact I\n" % c for c, home in CONCLUSIONS if home in files)
    return "".join([HEAD % (" ".join(files), kept)] + [GOAL % (t, t, t, t) for t in sorted(theorems)])


def check(witnesses):
    """([what is wrong], theorems with an instance, theorems without)."""
    theorems, errors = linked(), []
    without = {row[0]: row[-1] for row in rows("unwitnessed")}
    for theorem, (table, op, _) in sorted(theorems.items()):
        if "witness_" + theorem not in witnesses and theorem not in without:
            errors.append("%s: %s: the theorem %s has no instance witness_%s in proofs/link/*Witnesses.v"
                          % (table, op, theorem, theorem))
    for theorem, reason in sorted(without.items()):
        if theorem not in theorems or "witness_" + theorem in witnesses or not reason:
            errors.append("proofs/unwitnessed: %s %s" % (
                theorem, "is no linked theorem" if theorem not in theorems else
                "has an instance" if reason else "has no reason"))
    for name in sorted(witnesses):
        if re.match("witness_", name) and name[len("witness_"):] not in theorems:
            errors.append("proofs/link/%s.v: %s is of no linked theorem" % (witnesses[name], name))
    return errors, len(set(theorems) - set(without)), len(without)
