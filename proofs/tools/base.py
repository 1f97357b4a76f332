"""The commit that a change is compared with. A check takes recorded.txt and cache.txt from there: what a
change itself says of its proofs is to be shown, not believed."""
import os
import subprocess

import framac


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


def text(commit_hash, path):
    """A file of that commit; empty where it has none."""
    run = subprocess.run(["git", "-C", framac.ROOT, "show", "%s:%s" % (commit_hash, path)],
                         capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else ""
