"""The models of sdk/src/training/models written down a second time, in PyTorch and in double precision, with its own autograd and AdamW.

Reads a JSON object of jobs by name on stdin (see recordTorch.ts) and prints, for each, the first batch's loss sum, its gradient and the
parameters after some steps. Needs PyTorch (Debian: python3-torch); only recording does, not the test.
"""

import json
import math
import sys

import torch
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


def attention(q, k, v, mask, heads):
    batch, sequence, width = q.shape
    split = lambda t: t.reshape(batch, sequence, heads, width // heads).transpose(1, 2)
    scores = split(q) @ split(k).transpose(-1, -2) / math.sqrt(width // heads)
    mixed = torch.softmax(scores.masked_fill(mask, -math.inf), -1) @ split(v)
    return mixed.transpose(1, 2).reshape(batch, sequence, width)


def encoder(m, p, columns):
    """Post-norm blocks, mean over the real tokens, GELU head. Weights stand inputs first."""
    norm = lambda x, name: F.layer_norm(x, x.shape[-1:], p[f"{name}.gain"], p[f"{name}.bias"], 1e-12)
    dense = lambda x, name: x @ p[f"{name}.weight"] + p.get(f"{name}.bias", 0)
    ids, mask = columns["ids"], columns["mask"]
    x = norm(F.embedding(ids, p["embedding.word"]) + p["embedding.position"], "embedding.norm")
    padding = (mask == 0)[:, None, None, :]
    for layer in range(m["layers"]):
        at = f"layer.{layer}.attention"
        q, k, v = (dense(x, f"{at}.{part}") for part in ("query", "key", "value"))
        x = norm(dense(attention(q, k, v, padding, m["heads"]), f"{at}.output") + x, f"{at}.norm")
        at = f"layer.{layer}.feedForward"
        x = norm(dense(F.gelu(dense(x, f"{at}.up")), f"{at}.down") + x, f"{at}.norm")
    pooled = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
    return dense(F.gelu(dense(pooled, "head.hidden")), "head.output"), columns["labels"]


def decoder(m, p, columns):
    """Pre-norm blocks, causal, the output tied to the embedding."""
    norm = lambda x, name: F.layer_norm(x, x.shape[-1:], p[f"{name}.gain"], p[f"{name}.bias"], 1e-5)
    dense = lambda x, name: x @ p[f"{name}.weight"] + p.get(f"{name}.bias", 0)
    tokens, sequence = columns["tokens"], m["sequence"]
    x = F.embedding(tokens[:, :-1], p["embedding.word"]) + p["embedding.position"]
    later = torch.ones(sequence, sequence, dtype=torch.bool).triu(1)
    for layer in range(m["layers"]):
        at = f"layer.{layer}.attention"
        normal = norm(x, f"{at}.norm")
        q, k, v = (dense(normal, f"{at}.{part}") for part in ("query", "key", "value"))
        x = x + dense(attention(q, k, v, later, m["heads"]), f"{at}.output")
        at = f"layer.{layer}.feedForward"
        x = x + dense(F.gelu(dense(norm(x, f"{at}.norm"), f"{at}.up")), f"{at}.down")
    logits = norm(x, "final.norm") @ p["embedding.word"].T
    return logits.reshape(-1, m["vocabulary"]), tokens[:, 1:].reshape(-1)


def bert_lora(m, p, columns):
    """BERT's or DistilBERT's classifier with low-rank adapters beside frozen projections. Weights stand outputs first."""
    norm = lambda x, name: F.layer_norm(x, x.shape[-1:], p[f"{name}.weight"], p[f"{name}.bias"], m["layerNormEpsilon"])
    dense = lambda x, name: F.linear(x, p[f"{name}.weight"], p[f"{name}.bias"])

    def project(x, name):
        out = dense(x, name)
        if f"{name}.lora_A" in p:
            out = out + m["alpha"] / m["rank"] * F.linear(F.linear(x, p[f"{name}.lora_A"]), p[f"{name}.lora_B"])
        return out

    ids, mask, bert = columns["ids"], columns["mask"], m["family"] == "bert"
    x = F.embedding(ids, p["embedding.word"]) + p["embedding.position"][: m["sequence"]]
    if bert:
        x = x + p["embedding.type"][0]
    x = norm(x, "embedding.norm")
    padding = (mask == 0)[:, None, None, :]
    for layer in range(m["layers"]):
        at = f"layer.{layer}"
        mixed = attention(*(project(x, f"{at}.{part}") for part in "qkv"), padding, m["heads"])
        x = norm(project(mixed, f"{at}.o") + x, f"{at}.attentionNorm")
        x = norm(dense(F.gelu(dense(x, f"{at}.up")), f"{at}.down") + x, f"{at}.outputNorm")
    first = x[:, 0]
    pooled = torch.tanh(dense(first, "pooler")) if bert else torch.relu(dense(first, "head.hidden"))
    return dense(pooled, "head.output"), columns["labels"]


def perceptron(m, p, columns):
    x, last = columns["features"], len(m["hidden"])
    for layer in range(last + 1):
        x = x @ p[f"layer.{layer}.weight"] + p[f"layer.{layer}.bias"]
        x = F.gelu(x) if layer < last else x
    return x, columns["labels"]


MODELS = {"encoder": encoder, "decoder": decoder, "bert-lora": bert_lora, "mlp": perceptron}
tensor = lambda t: torch.tensor(t["data"], dtype=torch.float64).reshape(t["shape"])
columns_of = lambda batch: {
    name: torch.tensor(c["data"], dtype=torch.long if c["dtype"] == "int32" else torch.float64).reshape(c["shape"])
    for name, c in batch.items()
}


def run(job):
    trained = {name: tensor(t).requires_grad_() for name, t in job["params"].items()}
    weights = {**{name: tensor(t) for name, t in job["base"].items()}, **trained}

    def loss_of(batch, reduction):
        logits, targets = MODELS[job["model"]["architecture"]](job["model"], weights, columns_of(batch))
        return F.cross_entropy(logits, targets, reduction=reduction)

    loss = loss_of(job["batches"][0], "sum")
    gradient = torch.autograd.grad(loss, list(trained.values()))
    o = job["optimizer"]
    optimizer = torch.optim.AdamW(
        trained.values(), betas=(o["beta1"], o["beta2"]), eps=o["epsilon"], weight_decay=o["weightDecay"]
    )
    for batch, rate in zip(job["batches"], job["rates"]):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        loss_of(batch, "mean").backward()
        optimizer.step()
    flat = lambda tensors: torch.cat([t.detach().flatten() for t in tensors]).tolist()
    return {"lossSum": loss.item(), "gradient": flat(gradient), "after": flat(trained.values())}


print(json.dumps({"torch": torch.__version__, "jobs": {name: run(job) for name, job in json.load(sys.stdin).items()}}))
