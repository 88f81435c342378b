#!/usr/bin/env bash
# Compute resources gpu0 to gpu8, for everybody.
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
token=$(./get_token.sh)

for i in $(seq 0 8); do
  spec='{"gpuDevicesRequest":'"$i"'}'
  if [ "$i" -eq 1 ]; then
    spec='{"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":1.0}'
  fi
  curl -s -k -X POST "$RUNAI_URL/api/v1/asset/compute" \
    -H "Authorization: Bearer $token" \
    -H 'Content-Type: application/json' \
    -d '{"meta":{"name":"gpu'"$i"'","scope":"tenant"},"spec":'"$spec"'}'
done
