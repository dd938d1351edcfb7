#!/bin/sh
# Builds the images with Docker and tries in each what it is for, as it will run: as nobody in
# particular, on a root that cannot be written.
#
#   docker/check.sh [IMAGE...]          control, cpu, gpu-tts and gpu-lalm if none is named
set -eu
cd "$(dirname "$0")/.."

inside() {
  docker run --rm --read-only --tmpfs /tmp --cap-drop ALL --network none "voxmem:$image" "$@"
}

for image in ${*:-control cpu gpu-tts gpu-lalm}; do
  echo "== $image"
  docker build --quiet --file "docker/Dockerfile.$image" --tag "voxmem:$image" \
    --build-arg TORCH_INDEX="${TORCH_INDEX:-}" .
  docker image inspect --format '{{.Size}} bytes' "voxmem:$image"
  inside voxmem --version
  test "$(inside id -u)" = 10001
  inside python -c "import flows.construct, flows.evaluate, flows.speak"
  if inside sh -c "command -v cc"; then
    echo "$image: there is a compiler in it"
    exit 1
  fi
  case $image in
    control) inside python -c "import prefect_docker, prefect_kubernetes" ;;
    cpu) inside voxmem build --preset demo --text-only --root /data/demo ;;
    gpu-*) inside python -c "import torch; assert torch.version.cuda" ;;
  esac
done

echo "== compose"
PREFECT_API_AUTH_STRING=a:b VOXMEM_POSTGRES_PASSWORD=c AWS_ACCESS_KEY_ID=d AWS_SECRET_ACCESS_KEY=e \
  docker compose -f docker/compose.yaml --profile gpu config --quiet
