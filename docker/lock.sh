#!/bin/sh
# Writes docker/locks/*.txt anew: every package of every image, by version and by hash. Versions that
# still fit are kept, so that a change in pyproject.toml moves what it must; `--upgrade` moves all.
#
#   pip install uv && docker/lock.sh [--upgrade]
#
# The locks are of Linux on x86-64 with Python 3.11, the base image's.
set -eu
cd "$(dirname "$0")/.."
locks=docker/locks

compile() {
  lock=$1
  shift
  uv pip compile --quiet --python-version 3.11 --python-platform x86_64-manylinux_2_28 \
    --generate-hashes --no-header --no-annotate --output-file "$locks/$lock.txt" $upgrade "$@"
}

upgrade=${1:-}

# Torch stands alone: an image has either its build with GPU libraries, of torch.txt, or a CPU build
# from an index that its builder names. So no other lock holds torch or a GPU library.
no_torch="--excludes $locks/gpu-libraries.in --no-emit-package torch"
# All images have equal versions of what they share.
like="--constraints $locks/cpu.txt"

compile cpu $no_torch pyproject.toml --only-binary :all: --extra speech --extra gates \
  --extra chitchat --extra gemini --extra hub --extra workers --extra dask --extra s3
compile torch $like --only-binary :all: "$locks/torch.in"
compile gpu-tts $no_torch $like pyproject.toml --only-binary :all: --extra speech \
  --extra local-models --extra workers --extra s3
compile gpu-lalm $no_torch $like pyproject.toml "$locks/gpu-lalm.in" --only-binary :all: \
  --extra local-models --extra workers --extra s3
compile control $like pyproject.toml "$locks/control.in" --only-binary :all: --extra s3
compile build "$locks/build.in"
compile no-deps --no-deps requirements/no-deps.txt
