"""The limits that CONTRIBUTING.md states and clang-format does not see to: it wraps code at 100 columns,
and leaves comments as they are.

lint_style.py [FILE...]   C, C++, CUDA, headers, Python and shell
lint_style.py --self-test   each rule is broken once; each must be found

  columns   no line is longer than COLUMNS
  lines     no file is longer than LINES
  blanks    no tab, and no blank at the end of a line
EXCUSED lists what is longer, with the reason; what is no longer needed there is an error too.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS, LINES = 120, 600
ENDINGS = (".c", ".h", ".cu", ".cuh", ".cpp", ".py", ".sh")
PROVEN = "a comment of proven text: whoever touches it wraps it"
PARTED = "to part it is a change of proven text"
WRITTEN = "a script wrote it"
EXCUSED = {
    ("cuda/batch_norm/cluster.cu", "lines"): PARTED,
    ("cuda/loss/warp.cu", "lines"): PARTED,
    ("cuda/reduce/vjp_max_rows.h", "blanks"): PROVEN,
    ("cuda/sim/requires.cpp", "columns"): WRITTEN,
    ("cuda/sim/requires.cpp", "lines"): WRITTEN,
}


def check(path, text, excused):
    """[what is wrong] with a file."""
    lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")
    found = [("columns", i, "%d columns, more than %d" % (len(line), COLUMNS))
             for i, line in enumerate(lines, 1) if len(line) > COLUMNS]
    found += [("blanks", i, "a tab, or a blank at the end")
              for i, line in enumerate(lines, 1) if re.search(r"\t|[ \r]$", line)]
    if len(lines) > LINES:
        found.append(("lines", len(lines), "%d lines, more than %d" % (len(lines), LINES)))
    rules = {rule for rule, _, _ in found}
    return ["%s:%d: %s: %s" % (path, i, rule, what) for rule, i, what in sorted(found)
            if (path, rule) not in excused] + \
        ["%s: %s: EXCUSED lists it, and there is nothing to excuse" % (path, rule)
         for p, rule in sorted(excused) if p == path and rule not in rules]


def sources():
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [d for d in folders if not d.startswith(".") and
                      d not in ("build", "__pycache__")]
        found += [os.path.relpath(os.path.join(folder, n), ROOT) for n in names if n.endswith(ENDINGS)]
    return sorted(found)


def self_test():
    line = "int a;\n"
    cases = [  # (rule, text, excused); no rule: all is well
        ("", line * LINES, ()),
        ("", "x" * COLUMNS + "\n" + line, ()),
        ("", line * (LINES + 1), {("a.c", "lines")}),
        ("", "x" * (COLUMNS + 1) + "\n", {("a.c", "columns"), ("b.c", "lines")}),
        ("columns", line + "x" * (COLUMNS + 1) + "\n", ()),
        ("columns", "x" * (COLUMNS + 1), {("a.c", "lines")}),
        ("lines", line * LINES + "int b;", ()),
        ("blanks", "int\ta;\n", ()),
        ("blanks", "int a; \n", ()),
        ("blanks", "int a;\r\n", ()),
        ("lines", line, {("a.c", "lines")}),
    ]
    for rule, text, excused in cases:
        errors = check("a.c", text, excused)
        if not any(": %s: " % rule in e for e in errors) if rule else errors:
            raise SystemExit("style self-test: %s: %s in %r.." % (rule or "well", errors, text[:20]))
    planted = sum(bool(rule) for rule, _, _ in cases)
    print("style self-test: %d faults planted, %d found" % (planted, planted))


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    files, errors = sys.argv[1:] or sources(), []
    for path in files:
        with open(os.path.join(ROOT, path), newline="") as f:
            errors += check(path, f.read(), EXCUSED)
    gone = sorted({p for p, _ in EXCUSED} - set(sources()))
    errors += ["%s: EXCUSED lists it, and there is no such file" % p for p in gone]
    for e in errors:
        print("style: " + e)
    print("style: %d files, %d excused, %d errors" % (len(files), len(EXCUSED), len(errors)))
    return 1 if errors or not files else 0


if __name__ == "__main__":
    sys.exit(main())
