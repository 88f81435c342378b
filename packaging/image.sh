#!/usr/bin/env bash
# Makes gpuyard_VERSION_ARCH.oci.tar, an image in the OCI layout, from a build. Nothing is fetched
# and no container program is needed: the image starts from nothing and holds the programs, the
# libraries they are linked with, a shell and the machine's certificates of authorities.
#
# usage: packaging/image.sh BUILD-FOLDER OUTPUT-FOLDER [VERSION]
# YARD_COMPRESS sets the command that compresses the layer (default: gzip -9n).
set -euo pipefail

# shellcheck source=packaging/head.sh
source "$(dirname "${BASH_SOURCE[0]}")/head.sh" "$@"
read -r -a compress <<<"${YARD_COMPRESS:-gzip -9n}"
stage_in image
root=$stage/root
blobs=$stage/layout/blobs/sha256

put_program() {
  install -D -m 755 "$1" "$root$2"
  strip --strip-unneeded "$root$2"
}

put_programs() {
  local file
  put_program "$build/gpuyard" /usr/lib/gpuyard/gpuyard
  put_program "$build/gpuyard-shim" /usr/lib/gpuyard/gpuyard-shim
  for file in "$build"/slice/*; do
    [[ ! -f $file ]] || put_program "$file" "/usr/lib/gpuyard/slice/$(basename "$file")"
  done
  # A plain command line and its everyday programs, for `podman exec` and for native work.
  install -D -m 755 "$(command -v busybox)" "$root/bin/busybox"
  for file in $(busybox --list); do
    [[ $file == busybox ]] || ln -s busybox "$root/bin/$file"
  done
  mkdir -p "$root/usr/bin"
  for file in gpuyard gy; do ln -s ../lib/gpuyard/gpuyard "$root/usr/bin/$file"; done
}

# Each library under the path where the loader looks for it, the loader included.
put_libraries() {
  local program library
  for program in "$root"/usr/lib/gpuyard/gpuyard{,-shim} "$root/bin/busybox"; do
    ldd "$program" 2>/dev/null || true
  done | grep -oE '/[^ ]+\.so[^ ]*' | sort -u | while read -r library; do
    install -D -m 755 "$(realpath "$library")" "$root$library"
  done
}

put_texts() {
  mkdir -p "$root"/{etc/gpuyard,var/lib/gpuyard,root,proc,sys,dev,run,home} "$root/etc/ssl/certs"
  install -d -m 1777 "$root/tmp"
  printf 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/nonexistent:/bin/false\n' \
    >"$root/etc/passwd"
  printf 'root:x:0:\nnogroup:x:65534:\n' >"$root/etc/group"
  printf 'passwd: files\ngroup: files\nhosts: files dns\n' >"$root/etc/nsswitch.conf"
  [[ ! -r /etc/ssl/certs/ca-certificates.crt ]] ||
    install -m 644 /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  install -D -m 644 "$source/../LICENSE" "$root/usr/share/doc/gpuyard/copyright"
}

# put_blob FILE: moves it to its place; says its digest and size.
put_blob() {
  local digest size
  digest=$(sha256sum "$1" | cut -d' ' -f1)
  size=$(stat -c %s "$1")
  mv "$1" "$blobs/$digest"
  echo "\"digest\":\"sha256:$digest\",\"size\":$size"
}

# The same files give the same image.
put_layer() {
  tar -C "$root" --sort=name --mtime="@${SOURCE_DATE_EPOCH:-0}" --owner=0 --group=0 \
    --numeric-owner -cf "$stage/layer.tar" .
  plain=$(sha256sum "$stage/layer.tar" | cut -d' ' -f1)
  "${compress[@]}" "$stage/layer.tar"
  layer=$(put_blob "$stage/layer.tar.gz")
}

put_config() {
  cat >"$stage/config" <<TEXT
{"architecture":"$arch","os":"linux",
 "config":{"Entrypoint":["/usr/bin/gpuyard"],"Cmd":["up","--listen","0.0.0.0:8470"],
  "Env":["PATH=/usr/bin:/bin","HOME=/root","GPUYARD_DATA_DIR=/var/lib/gpuyard"],"WorkingDir":"/root",
  "ExposedPorts":{"8470/tcp":{}},"Volumes":{"/var/lib/gpuyard":{}},"StopSignal":"SIGTERM",
  "Labels":{"org.opencontainers.image.title":"gpuyard","org.opencontainers.image.version":"$version",
   "org.opencontainers.image.licenses":"Apache-2.0"}},
 "rootfs":{"type":"layers","diff_ids":["sha256:$plain"]}}
TEXT
  config=$(put_blob "$stage/config")
}

put_index() {
  local types=application/vnd.oci.image manifest
  cat >"$stage/manifest" <<TEXT
{"schemaVersion":2,"mediaType":"$types.manifest.v1+json",
 "config":{"mediaType":"$types.config.v1+json",$config},
 "layers":[{"mediaType":"$types.layer.v1.tar+gzip",$layer}]}
TEXT
  manifest=$(put_blob "$stage/manifest")
  cat >"$stage/layout/index.json" <<TEXT
{"schemaVersion":2,"manifests":[{"mediaType":"$types.manifest.v1+json",$manifest,
 "annotations":{"org.opencontainers.image.ref.name":"localhost/gpuyard:$version"}}]}
TEXT
  echo '{"imageLayoutVersion":"1.0.0"}' >"$stage/layout/oci-layout"
}

mkdir -p "$root" "$blobs"
put_programs
put_libraries
put_texts
put_layer
put_config
put_index
file=$out/gpuyard_${version}_$arch.oci.tar
tar -C "$stage/layout" --sort=name --owner=0 --group=0 --numeric-owner -cf "$file" .
echo "$file"
