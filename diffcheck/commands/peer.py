"""What peers.py and its parts share: their inputs, and the table of functions."""
import torch


def rand(*shape):
    return torch.randn(shape, device="cuda")


def index(rows, k):
    return torch.randint(0, rows, (k,), device="cuda")


def factor(rows, cols, transposed, *batch):
    return rand(*batch, cols, rows).mT if transposed else rand(*batch, rows, cols)


# For each op a function from its size to what PyTorch runs for it. Inputs are made before timing.
PEERS = {}


def peer(f):
    PEERS[f.__name__] = f
    return f
