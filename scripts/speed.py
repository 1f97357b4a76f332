"""docs/SPEED.md, of the newest timings on a GPU (docs/results/*/bench.json): status.py writes it."""
import glob
import json
import os

NEAR = 1.02  # times of one kernel vary by as much from run to run
SEEN = 0.5   # us: a floor below that says nothing, as a launch is all there is

PAGE = """# How fast the kernels are
Medians of %(reps)d runs, caches flushed before each, in microseconds: %(device)s, %(date)s, commit
%(commit)s, all from one run beside PyTorch %(torch)s ([%(folder)s](results/%(folder)s)), of the
variant that the launcher picks. *floor*: the time over that of the bytes that must move at
%(copy_GBs).0f GB/s, or of the operations at %(f32_TFs).1f TFLOP/s (cuBLAS), whichever is larger.
*copy*: over that of a plain copy of as many bytes, launch and all, or of a plain read where an op
writes next to nothing; an empty launch takes %(launch_us).1f us. *PyTorch*: the better of eager and
torch.compile, and how many of ours fit into it. `make bench` times them again; `scripts/status.py`
writes this page.

Of %(count)d rows, %(ahead)d are ahead of PyTorch by more than 2 %%, %(level)d within 2 %% of it,
%(behind)d behind:

%(rows_behind)s
What keeps those behind that move their bytes but once:

- *The L2.* Of rows above 1024 columns torch.compile marks what it reads as what the L2 is to keep
  (`evict_last`). What is read once is of no use there, but writes leave the L2 sooner beside it. A
  kernel behind it that reads 24 to 40 MB four times pays 2 to 8 us for that
  ([evict_last.txt](results/evict_last.txt), of `evict_last.cu` there). We do so where it pays: the norms
  and the VJPs of softmax, of tensors twice as large as the L2 (`cuda/lang/cache_hints.h`).
- *Rows of 64 columns.* There it has no such mark. Ours saves what a VJP wants, which the timed one
  does not, and takes as long as a bare kernel that does so; eight rows of a thread on their way at
  once would be 0.3 us less ([narrow_rows.txt](results/narrow_rows.txt), of `narrow_rows.cu` there).
- *masked_softmax* has a mask of f32, PyTorch's is of bytes: it reads 5 bytes an element for our 8.

## All rows
%(rows)s"""


def latest(root):
    """The newest bench.json and its folder's name."""
    runs = []
    for path in glob.glob(os.path.join(root, "docs/results/*/bench.json")):
        with open(path) as f:
            run = json.load(f)
        if len({row["op"] for row in run["rows"]}) > 50:  # of all ops, not of a family alone
            runs.append((run["date"], os.path.basename(os.path.dirname(path)), run))
    return max(runs)[1:] if runs else (None, None)


def picked(rows):
    """The first row of each op and size, which is that of the launcher's variant."""
    found = {}
    for row in rows:
        found.setdefault((row["op"], json.dumps(row["size"])), row)
    return [row for row in found.values() if row["us"]]


def peer(row):
    times = [t for t in (row["torch_us"], row["torch_compile_us"]) if t]
    return min(times) if times else None


def short(us):
    return "%.0f" % us if us >= 100 else "%.1f" % us


def size_of(row):
    """rank=2 d0=3 d1=4 d2=1 .. as d=3,4: what lies beyond the rank is not there."""
    size = dict(row["size"])
    rank = size.pop("rank", 0)
    found = {}
    for key, value in size.items():
        if rank and key[-1].isdigit():
            if int(key[-1]) < rank:
                found.setdefault(key[:-1], []).append("%g" % value)
        else:
            found[key] = ["%.10g" % value]
    return " ".join("%s=%s" % (key, ",".join(values)) for key, values in found.items())


def line(row):
    best = peer(row)
    floor = "%.2f" % row["over_floor"] if row["floor_us"] >= SEEN else ""
    return "| %s | %s | %s | %s | %s | %s | %s | %s |" % (
        row["op"], size_of(row), row["variant"], short(row["us"]), floor,
        "%.2f" % (row["us"] / row["copy_us"]) if row["copy_us"] else "",
        short(best) if best else "", "%.2f" % (best / row["us"]) if best else "")


def table(rows):
    return "\n".join(["| op | size | variant | us | floor | copy | PyTorch us | PyTorch / ours |",
                      "|---|---|---|---|---|---|---|---|"] + [line(row) for row in rows]) + "\n"


def page(root):
    folder, run = latest(root)
    if run is None:
        return "No timings of all ops are in docs/results.\n"
    rows = picked(run["rows"])
    beside = [row for row in rows if peer(row)]
    behind = [row for row in beside if row["us"] > NEAR * peer(row)]
    ahead = [row for row in beside if NEAR * row["us"] < peer(row)]
    return PAGE % dict(run, folder=folder, count=len(beside), ahead=len(ahead), behind=len(behind),
                       level=len(beside) - len(ahead) - len(behind),
                       rows_behind=table(behind), rows=table(rows))
