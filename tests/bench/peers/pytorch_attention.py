#!/usr/bin/env python3
"""Attention alone in PyTorch, timed as students time it: what `warpglass-cli experiment attention` is held against.

    pytorch_attention.py [--batch 8] [--heads 1] [--head-dim 64] [--context 256,1024,4096] [--precision fp32]
                         [--execution eager|compiled] [--causal] [--warmup 10] [--passes 100]

softmax(q kᵀ / √d) v on queries, keys and values that are made once. Prints one JSON object a length: the mean of a forward
and of a backward pass in ms, each with a synchronization around it, and the memory just before a backward pass.
"""
import argparse
import json
import math
import time

import torch


def attention(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask
    return torch.softmax(scores, -1) @ v


def measure(options, length, function):
    types = {"fp32": torch.float32, "tf32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
    shape = (options.batch, options.heads, length, options.head_dim)
    q, k, v = (torch.randn(shape, device="cuda", dtype=types[options.precision], requires_grad=True) for _ in range(3))
    mask = torch.full((length, length), float("-inf"), device="cuda", dtype=q.dtype).triu(1) if options.causal else None
    gradient = torch.randn(shape, device="cuda", dtype=q.dtype)
    times = {"forward": [], "backward": []}
    before = 0
    for turn in range(options.warmup + options.passes):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        output = function(q, k, v, mask)
        torch.cuda.synchronize()
        middle = time.perf_counter()
        before = torch.cuda.memory_allocated()
        output.backward(gradient)
        torch.cuda.synchronize()
        if turn >= options.warmup:
            times["forward"].append(middle - begin)
            times["backward"].append(time.perf_counter() - middle)
    return {f"{phase}_mean_ms": round(sum(each) / len(each) * 1e3, 4) for phase, each in times.items()} | {
        "before_backward_bytes": before}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--heads", type=int, default=1)
    parser.add_argument("--head-dim", type=int, default=64)
    parser.add_argument("--context", default="256,1024,4096")
    parser.add_argument("--precision", default="fp32", choices=("fp32", "tf32", "bf16", "fp16"))
    parser.add_argument("--execution", default="eager", choices=("eager", "compiled"))
    parser.add_argument("--causal", action="store_true")
    parser.add_argument("--warmup", type=int, default=10)
    parser.add_argument("--passes", type=int, default=100)
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = options.precision == "tf32"
    function = torch.compile(attention) if options.execution == "compiled" else attention
    for length in map(int, options.context.split(",")):
        stated = {"peer": f"PyTorch {torch.__version__}", "execution": options.execution, "precision": options.precision,
                  "head_dim": options.head_dim, "context": length, "causal": options.causal}
        try:
            stated |= measure(options, length, function)
        except torch.cuda.OutOfMemoryError:
            stated["status"] = "out of memory"
            torch.cuda.empty_cache()
        print(json.dumps(stated), flush=True)


main()
