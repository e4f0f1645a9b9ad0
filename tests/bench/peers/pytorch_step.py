#!/usr/bin/env python3
"""A training step of the workload's model in PyTorch, timed: what Warpglass's own step is held against.

    pytorch_step.py [--model small] [--context 512] [--batch 4] [--precision bf16] [--attention sdpa-flash]
                    [--execution eager|reduce-overhead] [--fused] [--warmup 10] [--steps 40]
                    [--profile none|cpu+cuda|cuda|memory]

Prints one JSON object: the median, mean and standard deviation of a step in ms. --profile says what PyTorch's own tools
record meanwhile, so that their cost can be set against Warpglass's.
"""
import argparse
import contextlib
import json
import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

SIZES = {  # d_model, d_ff, layers, heads
    "small": (768, 3072, 12, 12),
    "medium": (1024, 4096, 24, 16),
    "large": (1280, 5120, 36, 20),
    "xl": (1600, 6400, 48, 25),
    "2.7B": (2560, 10240, 32, 32),
}
VOCABULARY = 10000


class Attention(nn.Module):
    def __init__(self, width, heads, context, variant):
        super().__init__()
        self.heads, self.variant = heads, variant
        self.q, self.k, self.v, self.out = (nn.Linear(width, width, bias=False) for _ in range(4))
        pairs = width // heads // 2
        angles = torch.outer(torch.arange(context, dtype=torch.float64),
                             10000.0 ** (-torch.arange(pairs, dtype=torch.float64) / pairs)).float()
        self.register_buffer("cos", angles.cos()[None, None], persistent=False)
        self.register_buffer("sin", angles.sin()[None, None], persistent=False)
        mask = torch.full((context, context), float("-inf")).triu(1)
        self.register_buffer("mask", mask, persistent=False)

    def rotate(self, x):
        even, odd = x[..., 0::2].float(), x[..., 1::2].float()
        return torch.stack((even * self.cos - odd * self.sin, even * self.sin + odd * self.cos), -1).flatten(-2).to(x.dtype)

    def forward(self, x):
        batch, context, width = x.shape
        q, k, v = (p(x).view(batch, context, self.heads, -1).transpose(1, 2) for p in (self.q, self.k, self.v))
        q, k = self.rotate(q), self.rotate(k)
        if self.variant == "naive":
            scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-2, -1) + self.mask.to(q.dtype)
            x = torch.softmax(scores, -1) @ v
        else:
            x = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(x.transpose(1, 2).reshape(batch, context, width))


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return F.rms_norm(x, (x.shape[-1],), self.weight, 1e-5)


class Block(nn.Module):
    def __init__(self, width, inner, heads, context, variant):
        super().__init__()
        self.norm1, self.norm2 = Norm(width), Norm(width)
        self.attention = Attention(width, heads, context, variant)
        self.w1, self.w3 = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.w2 = nn.Linear(inner, width, bias=False)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        y = self.norm2(x)
        return x + self.w2(F.silu(self.w1(y)) * self.w3(y))


class Model(nn.Module):
    def __init__(self, name, context, variant):
        super().__init__()
        width, inner, layers, heads = SIZES[name]
        self.embeddings = nn.Embedding(VOCABULARY, width)
        self.blocks = nn.ModuleList(Block(width, inner, heads, context, variant) for _ in range(layers))
        self.norm, self.head = Norm(width), nn.Linear(width, VOCABULARY, bias=False)

    def forward(self, tokens):
        x = self.embeddings(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def recording(what):
    if what == "cpu+cuda":
        return torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA])
    if what == "cuda":
        return torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA])
    return contextlib.nullcontext()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="small", choices=SIZES)
    parser.add_argument("--context", type=int, default=512)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--precision", default="bf16", choices=("fp32", "tf32", "bf16"))
    parser.add_argument("--attention", default="sdpa-flash", choices=("naive", "sdpa-flash", "sdpa-efficient"))
    parser.add_argument("--execution", default="eager", choices=("eager", "reduce-overhead"))
    parser.add_argument("--fused", action="store_true", help="AdamW's fused kernel")
    parser.add_argument("--warmup", type=int, default=10)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--profile", default="none", choices=("none", "cpu+cuda", "cuda", "memory"))
    options = parser.parse_args()

    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = options.precision == "tf32"
    model = Model(options.model, options.context, options.attention).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.999), weight_decay=0.01, fused=options.fused)
    tokens, targets = torch.randint(VOCABULARY, (2, options.batch, options.context), device="cuda")
    forward = torch.compile(model, mode="reduce-overhead") if options.execution != "eager" else model
    backends = {"sdpa-flash": torch.nn.attention.SDPBackend.FLASH_ATTENTION,
                "sdpa-efficient": torch.nn.attention.SDPBackend.EFFICIENT_ATTENTION}
    chosen = (torch.nn.attention.sdpa_kernel(backends[options.attention]) if options.attention in backends
              else contextlib.nullcontext())

    def step():
        with torch.autocast("cuda", torch.bfloat16, enabled=options.precision == "bf16"):
            logits = forward(tokens)
        loss = F.cross_entropy(logits.float().view(-1, VOCABULARY), targets.view(-1))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss

    times = []
    with chosen:
        first = step().item()
        for _ in range(options.warmup):
            step()
        torch.cuda.synchronize()
        if options.profile == "memory":
            torch.cuda.memory._record_memory_history()
        with recording(options.profile):
            for _ in range(options.steps):
                begin = time.perf_counter()
                loss = step().item()
                torch.cuda.synchronize()
                times.append((time.perf_counter() - begin) * 1e3)
    print(json.dumps({"peer": f"PyTorch {torch.__version__}", "execution": options.execution, "fused": options.fused,
                      "attention": options.attention, "precision": options.precision, "profile": options.profile,
                      "median_ms": round(statistics.median(times), 3), "mean_ms": round(statistics.mean(times), 3),
                      "stddev_ms": round(statistics.stdev(times), 3), "first_loss": first, "last_loss": loss}))


main()
