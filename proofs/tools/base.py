"""The commit that a change is compared with. A check takes recorded.txt and cache.txt from there: what a
change itself says of its proofs is to be shown, not believed."""
import os
import subprocess

import framac
import recorded

# Goals that a check asks the provers for again, at most: a change of more, which is an hour of two cores, takes
# its own cache.txt for them. Its recorded.txt is believed as little.
MOST = 2000


def git(*words):
    run = subprocess.run(["git", "-C", framac.ROOT] + list(words), capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else ""


def commit():
    """Its hash, or "" where there is none: no git, or a clone that has no commit before this one."""
    if os.path.realpath(git("rev-parse", "--show-toplevel") or "/") != os.path.realpath(framac.ROOT):
        return ""
    head, given = git("rev-parse", "--verify", "HEAD"), os.environ.get("PROOFMARK_BASE")
    if given:
        found = git("rev-parse", "--verify", given + "^{commit}")
        if not found:
            raise framac.Failure("PROOFMARK_BASE: there is no commit %s" % given)
        return found
    for main in ("origin/main", "main@{upstream}"):
        found = git("merge-base", "HEAD", main)
        if found and found != head:
            return found
    if git("status", "--porcelain", "--untracked-files=no"):
        return head
    return git("rev-parse", "--verify", "HEAD^")


def records():
    """(the commit, its recorded.txt): both empty where there is no commit, or its hashes are of another kind."""
    found = commit()
    lines = text(found, "proofs/recorded.txt") if found else ""
    return (found, lines) if lines.startswith(recorded.KIND + "\n") else ("", "")


def text(commit_hash, path):
    """A file of that commit; empty where it has none."""
    run = subprocess.run(["git", "-C", framac.ROOT, "show", "%s:%s" % (commit_hash, path)],
                         capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else ""
