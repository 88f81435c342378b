#!/usr/bin/env bash
# Makes gpuyard_VERSION_ARCH.deb and gpuyard-dbgsym_VERSION_ARCH.deb from a build.
#
# usage: packaging/deb.sh BUILD-FOLDER OUTPUT-FOLDER [VERSION]
# YARD_COMPRESS sets dpkg-deb's compression (default: -Zxz); tests take a fast one.
set -euo pipefail

# shellcheck source=packaging/head.sh
source "$(dirname "${BASH_SOURCE[0]}")/head.sh" "$@"
read -r -a compress <<<"${YARD_COMPRESS:--Zxz}"
stage_in stage
root=$stage/gpuyard
symbols=$stage/gpuyard-dbgsym

# Every program without its symbols, and those where debuggers look for them.
strip_into() {
  local from=$1 to=$2 id place
  install -D -m 755 "$from" "$to"
  id=$(readelf -n "$from" 2>/dev/null | sed -n 's/^ *Build ID: //p')
  place=$symbols/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
  if [[ -n $id ]]; then
    mkdir -p "$(dirname "$place")"
    objcopy --only-keep-debug --compress-debug-sections=zlib "$from" "$place"
    chmod 644 "$place"
  fi
  strip --strip-unneeded "$to"
}

put_programs() {
  local file
  strip_into "$build/gpuyard" "$root/usr/lib/gpuyard/gpuyard"
  strip_into "$build/gpuyard-shim" "$root/usr/lib/gpuyard/gpuyard-shim"
  for file in "$build"/slice/*; do
    [[ -f $file ]] && strip_into "$file" "$root/usr/lib/gpuyard/slice/$(basename "$file")"
  done
  mkdir -p "$root/usr/bin"
  ln -s ../lib/gpuyard/gpuyard "$root/usr/bin/gpuyard"
  ln -s gpuyard "$root/usr/bin/gy"
  # The other command line has a program of this name; whoever wants ours links to it.
  ln -s gpuyard "$root/usr/lib/gpuyard/runai"
}

put_texts() {
  local man=$root/usr/share/man/man1 bash=$root/usr/share/bash-completion/completions
  local doc=$root/usr/share/doc/gpuyard
  mkdir -p "$man" "$bash" "$root/usr/share/zsh/vendor-completions" \
    "$root/usr/share/fish/vendor_completions.d" "$doc/examples"
  "$build/gpuyard" man --dir "$man"
  gzip -9n "$man"/*.1
  ln -s gpuyard.1.gz "$man/gy.1.gz"
  "$build/gpuyard" completion bash >"$bash/gpuyard"
  "$build/gy" completion bash >"$bash/gy"
  "$build/gpuyard" completion zsh >"$root/usr/share/zsh/vendor-completions/_gpuyard"
  "$build/gpuyard" completion fish >"$root/usr/share/fish/vendor_completions.d/gpuyard.fish"
  install -m 644 "$source/../LICENSE" "$doc/copyright"
  install -m 644 "$source/../README.md" "$doc/README.md"
  gzip -9nc "$source/../CHANGELOG.md" >"$doc/changelog.gz"
  cp "$source"/../examples/*.yaml "$doc/examples/"
  install -D -m 644 "$source/gpuyard.service" "$root/lib/systemd/system/gpuyard.service"
  install -d -m 755 "$root/etc/gpuyard"
}

# The libraries of the programs, as Debian's packages.
depends() {
  (
    cd "$stage"
    mkdir -p debian
    printf 'Source: gpuyard\n\nPackage: gpuyard\nArchitecture: any\n' >debian/control
    dpkg-shlibdeps -O "$root/usr/lib/gpuyard/gpuyard" "$root/usr/lib/gpuyard/gpuyard-shim" 2>/dev/null |
      sed -n 's/^shlibs:Depends=//p'
  )
}

put_control() {
  local size
  mkdir -p "$root/DEBIAN" "$symbols/DEBIAN"
  size=$(du -sk --exclude=DEBIAN "$root" | cut -f1)
  cat >"$root/DEBIAN/control" <<TEXT
Package: gpuyard
Version: $version
Architecture: $arch
Maintainer: The Gpuyard authors <gpuyard@localhost>
Installed-Size: $size
Depends: $(depends)
Recommends: podman | docker.io, openssh-client
Section: admin
Priority: optional
Description: shared, fair and observable GPU cloud
 One program: server, scheduler and command line for labs that share GPUs.
 Batch work and notebooks as plain processes or containers, quotas and fair
 share, enforced parts of a GPU, and an answer to why work waits.
TEXT
  cat >"$symbols/DEBIAN/control" <<TEXT
Package: gpuyard-dbgsym
Version: $version
Architecture: $arch
Maintainer: The Gpuyard authors <gpuyard@localhost>
Installed-Size: $(du -sk --exclude=DEBIAN "$symbols" | cut -f1)
Depends: gpuyard (= $version)
Section: debug
Priority: optional
Description: debug symbols for gpuyard
TEXT
  local script
  for script in preinst postinst prerm postrm; do
    install -m 755 "$source/$script" "$root/DEBIAN/$script"
  done
}

put_programs
put_texts
put_control
for package in gpuyard gpuyard-dbgsym; do
  file=$out/${package}_${version}_$arch.deb
  dpkg-deb --root-owner-group "${compress[@]}" --build "$stage/$package" "$file" >/dev/null
  echo "$file"
done
