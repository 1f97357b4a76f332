"""@proofmark.kernel under pytest: tests, one a class of values."""
import pytest

import proofmark

KERNELS = """
import numpy as np
import proofmark

@proofmark.kernel("relu", cases=4)
def right(a):
    return np.where(a < 0, np.float32(0), a)

@proofmark.kernel("relu", cases=4)
def wrong_at_nan(a):
    return np.where(a > 0, a, np.float32(0))

@proofmark.kernel("neg", cases=4, values="ties")
@proofmark.kernel("fill", cases=2)
def two(*a, n=0, value=0):
    return -a[0] if a else np.full(n, value, np.float32)

def test_still_a_function():
    assert right(np.float32([-1, 2])).tolist() == [0, 2]
"""


@pytest.fixture
def run(pytester):
    pytester.makepyfile(test_kernels=KERNELS)

    def run(*arguments):
        return pytester.runpytest_inprocess("-v", "-p", "no:cacheprovider", *arguments)
    return run


def test_a_class_of_values_each(run):
    result = run()
    classes = proofmark.ops()["relu"].values
    said = result.stdout.str()
    for values in classes:
        assert "right[%s] PASSED" % values in said
    for name in ("two-neg[ties] PASSED", "two-fill[all] PASSED", "wrong_at_nan[special] FAILED",
                 "wrong_at_nan[uniform] PASSED"):
        assert name in said
    assert "proofmark.replay('relu n=" in said and "first: y[" in said and "Traceback" not in said
    outcomes = result.parseoutcomes()
    assert outcomes["passed"] + outcomes["failed"] == 2 * len(classes) + 3
    assert result.ret == 1


def test_one_by_its_name(run):
    result = run("-k", "right and ties")
    assert result.parseoutcomes()["passed"] == 1 and result.ret == 0


def test_an_op_that_is_not():
    with pytest.raises(proofmark.ProofmarkError, match="did you mean softmax"):
        proofmark.kernel("sofmax")
