"""Who may include whom in diffcheck/.

lint_diffcheck.py               the rooms of diffcheck/; lint_layers.py says what they include of cuda/
lint_diffcheck.py --self-test   each rule is broken once; each must be found

  room   a room includes itself and the rooms that ROOMS lists for it: commands tell and ask, and the
         engine knows neither commands nor reports nor files
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOMS = {
    "engine": (),
    "ops": ("engine",),
    "files": ("engine",),
    "report": ("engine", "files"),
    "foreign": ("engine",),
    "commands": ("engine", "files", "report", "foreign"),
}


def check(path, text, rooms):
    """What is wrong with the includes of one file."""
    errors, room = [], path.split("/")[1]
    for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', text, flags=re.M):
        to = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if to.startswith("diffcheck/"):
            other = to.split("/")[1]
            if other != room and other not in rooms.get(room, ()):
                errors.append("%s: room: %s may not include %s" % (path, room, to))
    if room not in rooms:
        errors.append("%s: room: ROOMS does not list %s" % (path, room))
    return errors


BROKEN = [  # (rule, file, its text)
    ("room", "diffcheck/engine/a.c", '#include "../report/report.h"\n'),
    ("room", "diffcheck/files/a.c", '#include "engine.h"\n  # include "../commands/cli.h"\n'),
    ("room", "diffcheck/ops/a.c", '#include "../files/npy.h"\n'),
    ("room", "diffcheck/a.c", ""),
]
GOOD = '#include <math.h>\n#include "../../cuda/launch.h"\n#include "../engine/engine.h"\n#include "cli.h"\n'


def self_test():
    if check("diffcheck/commands/a.c", GOOD, ROOMS):
        raise SystemExit("diffcheck lint self-test: complains of good text")
    for rule, path, text in BROKEN:
        if not any(": %s: " % rule in e for e in check(path, text, ROOMS)):
            raise SystemExit("diffcheck lint self-test: %s: not found in %s: %s" % (rule, path, text))
    print("diffcheck lint self-test: %d faults planted, %d found" % (len(BROKEN), len(BROKEN)))


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    files = sorted(glob.glob("diffcheck/**/*.[ch]", root_dir=ROOT, recursive=True))
    errors = []
    for path in files:
        with open(os.path.join(ROOT, path)) as f:
            errors += check(path, f.read(), ROOMS)
    for e in errors:
        print("diffcheck lint: " + e)
    print("diffcheck lint: %d files of %d rooms, %d errors" % (len(files), len(ROOMS), len(errors)))
    return 1 if errors or not files else 0


if __name__ == "__main__":
    sys.exit(main())
