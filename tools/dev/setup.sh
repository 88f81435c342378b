# shellcheck shell=bash disable=SC2154  # common.sh sets jobs, results and root
# Installs missing Debian packages. Sourced by ./dev.

# What building and running needs.
build_packages=(
  build-essential ccache cmake git mold ninja-build pkg-config python3
  libboost1.81-dev libboost-json1.81-dev libboost-url1.81-dev
  libbenchmark-dev libcli11-dev libcurl4-openssl-dev libeigen3-dev libfmt-dev libgmock-dev libgtest-dev
  librapidcheck-dev libsodium-dev libspdlog-dev libsqlite3-dev libssl-dev libvulkan-dev libyaml-cpp-dev
  zlib1g-dev
)
# The daemons that run containers in tests, and what an image is made of without a registry.
container_packages=(
  aardvark-dns busybox-static conmon docker-registry docker.io iptables netavark podman runc
  slirp4netns uidmap
)
# A Slurm cluster for tests, and the way to it.
slurm_packages=(iproute2 munge openssh-client openssh-server slurm-client slurmctld slurmd)
# What tests and checks need on top.
test_packages=(
  clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev shellcheck
  chromium curl jq lftp mesa-vulkan-drivers nginx-light openssl openvpn proftpd-core proftpd-mod-crypto
  python3-venv strace user-mode-linux
  "${container_packages[@]}" "${slurm_packages[@]}"
)

# The peers that benchmarks are run against.
bench_packages=(
  curl etcd-server jq libzstd-dev postgresql wrk
  munge parallel slurm-client slurmctld slurmd task-spooler
)

missing_packages() {
  local package
  declare -A installed=()
  while read -r package; do
    installed[$package]=1
  done < <(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p')
  for package in "$@"; do
    [[ -n ${installed[$package]:-} ]] || echo "$package"
  done
}

apt_get() {
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "installing needs root or sudo: apt-get $*"
    as_root=(sudo)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >&2
}

# install PACKAGE...: instant when nothing is missing.
install() {
  command -v dpkg-query >/dev/null ||
    die "set-up is written for Debian 12; install the equivalents of: $*"
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  echo "setup: missing: ${missing[*]}" >&2
  step "setup: updating the package lists" apt_get update
  step "setup: installing ${#missing[@]} packages" \
    apt_get install -y --no-install-recommends "${missing[@]}"
}

# Node makes the dashboard; one from elsewhere is as good as Debian's.
web_packages() { command -v npm >/dev/null || printf '%s\n' nodejs npm; }

# setup PACKAGE...: these, and what every build needs.
setup() {
  local node
  mapfile -t node < <(web_packages)
  install "${build_packages[@]}" "${node[@]}" "$@"
}
setup_build() { setup; }
setup_bench() { setup "${bench_packages[@]}"; }
setup_all() { setup "${test_packages[@]}"; }

cmd_setup() {
  case ${1:-all} in
    build) setup_build ;;
    all) setup_all ;;
    *) die "setup takes 'build' or 'all', not '$1'" ;;
  esac
  echo "setup: everything needed is installed"
}
