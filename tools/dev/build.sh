# shellcheck shell=bash disable=SC2154  # common.sh sets jobs, results and root
# Configuring, building, running and measuring. Sourced by ./dev.

configure() {
  local preset=$1
  mkdir -p build
  cmake --preset "$preset" >"build/configure-$preset.log" 2>&1 || {
    cat "build/configure-$preset.log" >&2
    return 1
  }
}

# `npm ci` would insist on the builds of some packages for every other platform.
make_web() (
  set -e
  mkdir -p build
  cd web
  [[ node_modules/.package-lock.json -nt package-lock.json ]] ||
    npm install --no-save --no-audit --no-fund --loglevel=error
  npm run --silent build >../build/web.log || { cat ../build/web.log >&2; return 1; }
)

# The dashboard goes into the server; without Node the server says on / that it has none.
build_web() {
  command -v npm >/dev/null || { echo "web: no npm, so no dashboard" >&2; return 0; }
  [[ -e web/dist/index.html ]] &&
    [[ -z $(find web docs -path web/node_modules -prune -o -path web/dist -prune -o \
      -type f -newer web/dist/index.html -print -quit) ]] && return 0
  step "web: the dashboard" make_web
}

# build PRESET TARGET...
build() {
  local preset=$1
  shift
  build_web
  step "configure: $preset" configure "$preset"
  step "build: $preset ($*)" cmake --build --preset "$preset" -j "$jobs" --target "$@"
}

cmd_build() {
  setup_build
  build release programs
  [[ ! -x build/release/gpuyard ]] || echo "built build/release/gpuyard"
}

cmd_package() {
  cmd_build
  step "package: build/package" packaging/deb.sh build/release build/package
  ls build/package/*.deb
}

cmd_image() {
  cmd_build
  step "image: build/package" packaging/image.sh build/release build/package
  ls build/package/*.oci.tar
}

# Whether every account may pass through the folder and all above it.
is_open() {
  local folder=$1
  while [[ $folder != / ]]; do
    [[ $(stat -c %A "$folder") == *x ]] || return 1
    folder=$(dirname "$folder")
  done
}

# Shows on a new server, and only there, that work runs. A server of root runs it under another
# user id, which may not be able to read this folder.
show_sample() {
  local gy=$root/build/release/gpuyard place=$root
  if ((EUID == 0)) && ! is_open "$root"; then
    place=$(mktemp -d /tmp/gpuyard-sample.XXXXXX)
    chmod 755 "$place"
    mkdir -m 755 "$place/examples"
    install -m 644 examples/train.py "$place/examples"
    echo "The work's user id cannot read $root: the sample runs in $place."
  fi
  for _ in $(seq 100); do
    "$gy" whoami >/dev/null 2>&1 && break
    sleep 0.1
  done
  [[ -z $("$gy" ps -a -o name 2>/dev/null) ]] || return 0
  echo
  echo "A first training: gpuyard run -J first -- python3 examples/train.py"
  (cd "$place" && "$gy" run -J first -- python3 examples/train.py) || return 0
  cat <<'TEXT'

It ran, and its record and log are kept. Try next, in another terminal:
  build/release/gpuyard show first
  build/release/gpuyard logs first
  build/release/gpuyard top
TEXT
}

# Without arguments the server's place is known to its clients, so that a sample can be run.
cmd_up() {
  cmd_build
  [[ -x build/release/gpuyard ]] || die "the build left no build/release/gpuyard"
  if (($#)); then exec build/release/gpuyard up "$@"; fi
  build/release/gpuyard up &
  local server=$!
  trap 'kill -TERM "$server" 2>/dev/null' INT TERM
  show_sample
  # A signal ends the first wait; the second one sees the server off.
  wait "$server" || wait "$server"
}

# A benchmark is bench/NAME.sh, told where to leave its result, or a Google Benchmark program.
# Either prints its own table.
cmd_bench() {
  local name=${1:-}
  [[ $name =~ ^[a-z0-9_]+$ ]] || die "which benchmark? $(list_benchmarks)"
  shift
  setup_bench
  mkdir -p build/bench
  local result=$root/build/bench/$name.json
  rm -f "$result"
  if [[ -x bench/$name.sh ]]; then
    build release programs benches
    YARD_BUILD=$root/build/release step "bench: $name" "bench/$name.sh" "$result" "$@"
  else
    step "configure: release" configure release
    grep -q "^build ${name}_bench:" build/release/build.ninja ||
      die "no benchmark '$name'. $(list_benchmarks)"
    step "build: release (${name}_bench)" \
      cmake --build --preset release -j "$jobs" --target "${name}_bench"
    step "bench: $name" "build/release/bench/${name}_bench" \
      --benchmark_out="$result" --benchmark_out_format=json "$@"
  fi
  [[ -s $result ]] || die "benchmark '$name' left no build/bench/$name.json"
  echo "result: build/bench/$name.json"
}

list_benchmarks() {
  local names
  names=$({
    find bench -maxdepth 1 -name '*.sh' 2>/dev/null
    find src bench sim -name '*_bench.cc' 2>/dev/null
  } | sed -E 's|.*/||; s|\.sh$||; s|_bench\.cc$||' | sort -u | tr '\n' ' ')
  echo "There are: ${names:-none yet}"
}
