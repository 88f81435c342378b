# shellcheck shell=bash disable=SC2154  # common.sh sets jobs, results and root
# Formatting, shell and clang-tidy checks. Sourced by ./dev.

tracked() {
  git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
    [[ ! -f $file ]] || echo "$file"
  done
}

# Where this branch left main. On main itself: the commit before the last one.
lint_base() {
  local ref base
  for ref in origin/main main; do
    base=$(git merge-base HEAD "$ref" 2>/dev/null) || continue
    if [[ $base != $(git rev-parse HEAD) ]]; then
      echo "$base"
      return
    fi
  done
  git rev-parse --verify --quiet HEAD~1 || git hash-object -t tree /dev/null
}

# The translation units to check: changed ones, and those of changed headers.
lint_sources() {
  local file
  if [[ $1 == all ]]; then
    tracked '*.cc'
    return
  fi
  {
    git diff --name-only --diff-filter=d "$(lint_base)" -- '*.cc' '*.h'
    git ls-files --others --exclude-standard -- '*.cc' '*.h'
  } | while read -r file; do
    [[ ! -f ${file%.h}.cc ]] || file=${file%.h}.cc
    [[ $file != *.cc ]] || echo "$file"
  done | sort -u
}

check_format() {
  tracked '*.cc' '*.h' | xargs -r clang-format-19 --dry-run -Werror
}

check_shell() {
  { tracked '*.sh' && tracked dev .ci/run 'tests/*/run' | xargs grep -lE '^#!.*\b(ba)?sh$'; } |
    sort -u | xargs -r shellcheck -x
}

check_clang_tidy() {
  local files in_build
  # Only what the build knows: a module that is not built here has no compile command.
  in_build=$(python3 -c 'import json, os
for entry in json.load(open("build/tidy/compile_commands.json")):
    print(os.path.relpath(entry["file"]))' | sort -u)
  mapfile -t files < <(lint_sources "$1" | comm -12 - <(echo "$in_build"))
  ((${#files[@]})) || return 0
  echo "   ${#files[@]} files" >&2
  printf '%s\n' "${files[@]}" | xargs -P "$jobs" -n 4 clang-tidy-19 -p build/tidy --quiet 2>&1 |
    { grep -vE '^\[|^[0-9]+ warnings? (generated|treated)' || true; }
  return "${PIPESTATUS[1]}"
}

cmd_lint() {
  # clang-tidy over everything takes longer than the rest of the checks together: --all asks for it.
  local scope=changed failed=0
  case ${1:-} in
    '') ;;
    --all) scope=all ;;
    *) die "lint does not know '$1'" ;;
  esac
  setup_all
  step "lint: format (./dev fmt repairs it)" check_format || failed=1
  step "lint: shell scripts" check_shell || failed=1
  step "configure: tidy" configure tidy || failed=1
  step "configure: dev" configure dev
  step "build: dev (tidy)" cmake --build --preset dev -j "$jobs" --target tidy
  step "lint: layers, sizes, banned calls" build/dev/tools/tidy . || failed=1
  step "lint: clang-tidy ($scope files)" check_clang_tidy "$scope" || failed=1
  ((failed == 0)) || die "lint found something to repair; see above"
  echo "lint: clean"
}

cmd_fmt() {
  setup_all
  tracked '*.cc' '*.h' | xargs -r clang-format-19 -i
}
