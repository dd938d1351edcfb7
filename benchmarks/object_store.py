"""What a root in a bucket costs beside bare boto3, and a release read through the local copies
beside a folder.

    AWS_ENDPOINT_URL=… AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… \
        python benchmarks/object_store.py s3://bucket/prefix [--root FOLDER --release NAME]

Both sides send the same bytes with the same number of threads in one run, in three rounds; the
ratio of the medians counts. Limits: bare boto3 is at most 1.5 times as fast (a put keeps a copy on
the local disk besides), and a release that was read before takes at most three times as long as in
a folder: every copy is hashed, and every part asked after.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from voxmem.store import Root, open_root
from voxmem.store.copies import open_copies
from voxmem.store.release import Release, load, object_list

THREADS = 16
ROUNDS = 3
SMALL = (400, 40_000)
BIG = (20, 4_000_000)


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bucket", help="s3://bucket/prefix; what is written there stays")
    parser.add_argument("--root", help="a folder with a release, to be copied and read")
    parser.add_argument("--release", default="demo")
    options = parser.parse_args()
    root = open_root(f"{options.bucket.rstrip('/')}/{uuid.uuid4().hex}")
    root.check_writable()
    for count, size in (SMALL, BIG):
        transfers(root, count, size)
    if options.root:
        reading(root, open_root(options.root), options.release)


def transfers(root: Root, count: int, size: int) -> None:
    """Puts and gets objects through the store and through bare boto3."""
    import boto3
    from botocore.config import Config

    style = Config(max_pool_connections=THREADS, s3={"addressing_style": "path"})
    bare = boto3.client("s3", config=style)
    bucket, _, prefix = root.uri.removeprefix("s3://").partition("/")
    rates: dict[str, list[float]] = {}
    for number in range(ROUNDS):
        datas = [random.Random(f"{number}/{n}").randbytes(size) for n in range(count)]

        def put_bare(data: bytes, number: int = number) -> str:
            key = f"{prefix}/bare/{number}/{hash(data)}"
            bare.put_object(Bucket=bucket, Key=key, Body=data)
            return key

        def get_bare(key: str) -> bytes:
            body: Any = bare.get_object(Bucket=bucket, Key=key)["Body"]
            return bytes(body.read())

        def get(sha: str) -> bytes:
            return root.objects.get(sha, fresh=True)

        keys = run(rates, "bare put", put_bare, datas)
        shas = run(rates, "put", root.objects.put, datas)
        run(rates, "bare get", get_bare, keys)
        run(rates, "get", get, shas)
    for name in ("put", "get"):
        ours, theirs = (statistics.median(rates[each]) for each in (name, f"bare {name}"))
        print(
            f"{name} {count} × {size / 1e6:g} MB: {ours:7.1f}/s, bare boto3 {theirs:7.1f}/s, "
            f"ratio {theirs / ours:.2f}",
            flush=True,
        )


def run(
    rates: dict[str, list[float]], name: str, function: Callable[[Any], Any], items: list[Any]
) -> list[Any]:
    """What a function gives for each item, with its rate."""
    begun = time.perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(function, items))
    rates.setdefault(name, []).append(len(items) / (time.perf_counter() - begun))
    return found


def reading(root: Root, folder: Root, name: str) -> None:
    """Reads a release in a folder, in the bucket, and in the bucket again."""
    release = load(folder, name)
    copied = everything(folder, release)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda each: root.blobs.write(each, _read(folder, each)), copied))
    shutil.rmtree(_copies(), ignore_errors=True)
    for what, where in (("folder", folder), ("first", root), ("again", root), ("folder", folder)):
        begun = time.perf_counter()
        size = read(where, release)
        spent = time.perf_counter() - begun
        print(f"{what:<8}{spent:7.2f} s  {size / 1e6:.1f} MB of objects", flush=True)


def everything(root: Root, release: Release) -> list[str]:
    """The names of all that a release needs."""
    shas = [release.audio_hash, *object_list(root, release)]
    parts = [(table, part) for table, held in release.tables.items() for part in held.parts]
    return [
        *(f"objects/{sha[:2]}/{sha[2:]}" for sha in shas),
        *(f"tables/{table}/{part}.parquet" for table, part in parts),
        root.release_name(release.release_id),
    ]


def read(root: Root, release: Release) -> int:
    """Reads every part and object, several at a time; the bytes of the objects."""
    parts = [(table, part) for table, held in release.tables.items() for part in held.parts]
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda part: root.tables.load(*part), parts))
        return sum(map(len, pool.map(root.objects.get, object_list(root, release))))


def _read(root: Root, name: str) -> bytes:
    data = root.blobs.read(name)
    assert data is not None, name
    return data


def _copies() -> Path:
    return open_copies().folder


if __name__ == "__main__":
    main()
