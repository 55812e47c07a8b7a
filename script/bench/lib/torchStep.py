"""Median milliseconds of one training step of a job's model in PyTorch on the CPU, as JSON; the job's model arrives as JSON on stdin.

The models are those of sdk/src/training/models, built from PyTorch's own layers. Exits with 3 where torch is missing.
"""

import json
import math
import sys
import time

try:
    import torch
    from torch import nn
    from torch.nn import functional as F
except ImportError:
    sys.exit(3)


class Block(nn.Module):
    def __init__(self, width, heads, inner, pre, lora):
        super().__init__()
        self.heads, self.pre = heads, pre
        self.q, self.v, self.o = (nn.Linear(width, width) for _ in range(3))
        self.k = nn.Linear(width, width, bias=lora is not None)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.lora = lora
        if lora:
            rank, self.scale = lora
            for parameter in self.parameters():
                parameter.requires_grad_(False)
            self.qa, self.va = nn.Linear(width, rank, bias=False), nn.Linear(width, rank, bias=False)
            self.qb, self.vb = nn.Linear(rank, width, bias=False), nn.Linear(rank, width, bias=False)

    def attend(self, x, mask):
        batch, sequence, width = x.shape
        split = lambda t: t.view(batch, sequence, self.heads, -1).transpose(1, 2)
        q, k, v = self.q(x), self.k(x), self.v(x)
        if self.lora:
            q, v = q + self.scale * self.qb(self.qa(x)), v + self.scale * self.vb(self.va(x))
        scores = split(q) @ split(k).transpose(2, 3) / math.sqrt(width / self.heads) + mask
        return self.o((scores.softmax(-1) @ split(v)).transpose(1, 2).reshape(batch, sequence, width))

    def forward(self, x, mask):
        if self.pre:
            x = x + self.attend(self.norm1(x), mask)
            return x + self.down(F.gelu(self.up(self.norm2(x))))
        x = self.norm1(self.attend(x, mask) + x)
        return self.norm2(self.down(F.gelu(self.up(x))) + x)


class Transformer(nn.Module):
    def __init__(self, m):
        super().__init__()
        self.m, kind = m, m["architecture"]
        lora = (m["rank"], m["alpha"] / m["rank"]) if kind == "bert-lora" else None
        self.word = nn.Embedding(m["vocabulary"], m["width"])
        self.position = nn.Parameter(torch.randn(m["sequence"], m["width"]) * 0.02)
        self.norm = nn.LayerNorm(m["width"])
        if lora:
            for parameter in self.parameters():
                parameter.requires_grad_(False)
        self.blocks = nn.ModuleList(
            Block(m["width"], m["heads"], m["feedForward"], kind == "decoder", lora) for _ in range(m["layers"])
        )
        if kind != "decoder":
            self.hidden, self.output = nn.Linear(m["width"], m["width"]), nn.Linear(m["width"], m["classes"])

    def forward(self, ids, mask):
        decoder = self.m["architecture"] == "decoder"
        x = self.word(ids) + self.position
        if not decoder:
            x = self.norm(x)
        for block in self.blocks:
            x = block(x, mask)
        if decoder:
            return self.norm(x) @ self.word.weight.t()
        pooled = x.mean(1) if self.m["architecture"] == "encoder" else x[:, 0]
        return self.output(F.gelu(self.hidden(pooled)))


def perceptron(m):
    widths = [m["inputs"], *m["hidden"], m["classes"]]
    layers = []
    for inputs, outputs in zip(widths, widths[1:]):
        layers += [nn.Linear(inputs, outputs), nn.GELU()]
    return nn.Sequential(*layers[:-1])


def main():
    job = json.load(sys.stdin)
    m, batch = job["model"], job["training"]["batch"]
    torch.set_num_threads(job["threads"])
    torch.manual_seed(1)
    if m["architecture"] == "mlp":
        model, inputs = perceptron(m), (torch.randn(batch, m["inputs"]),)
        labels = torch.randint(m["classes"], (batch,))
    else:
        model, sequence = Transformer(m), m["sequence"]
        mask = torch.zeros(batch, 1, 1, sequence)
        labels = torch.randint(m.get("classes", 2), (batch,))
        if m["architecture"] == "decoder":
            mask = torch.full((sequence, sequence), -1e9).triu(1)
            labels = torch.randint(m["vocabulary"], (batch * sequence,))
        inputs = (torch.randint(m["vocabulary"], (batch, sequence)), mask)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=1e-3, eps=1e-6, weight_decay=0.01)
    times, cpu = [], []
    begin = time.perf_counter()
    # Three to warm up, then twenty, or as many as fit into four seconds, at least five: as measureSteps.ts does.
    while len(times) < 8 or (len(times) < 23 and time.perf_counter() - begin < 4):
        start, used = time.perf_counter(), time.process_time()
        optimizer.zero_grad(set_to_none=True)
        logits = model(*inputs)
        F.cross_entropy(logits.view(-1, logits.shape[-1]), labels).backward()
        optimizer.step()
        times.append(1000 * (time.perf_counter() - start))
        cpu.append(1000 * (time.process_time() - used))
    median = lambda values: sorted(values[3:])[len(values[3:]) // 2]
    print(json.dumps({"stepMs": median(times), "stepCpuMs": median(cpu), "version": torch.__version__}))


main()
