#include "engine/slurm/scripts.h"

#include <algorithm>
#include <utility>

#include "engine/slurm/words.h"

namespace yard::engine::slurm {
namespace {

Command Shell(std::string_view script, std::vector<std::string> arguments, std::string input = {}) {
  Command command;
  command.argv = {"sh", "-c", std::string(script), "gpuyard"};
  command.argv.insert(command.argv.end(), std::make_move_iterator(arguments.begin()),
                      std::make_move_iterator(arguments.end()));
  command.input = std::move(input);
  return command;
}

// Other accounts make marks too where jobs run as them, but cannot list or remove those of others.
constexpr std::string_view kPrepare = R"sh(umask 077
cd / && mkdir -p "$1/bin" "$1/tasks" "$1/marks" && cd "$1" || exit 75
[ "$(id -u)" != 0 ] || { chmod 711 . bin tasks && chmod 1733 marks; } || exit 75
echo 1 >version || exit 75
if [ ! -x "bin/$2" ]; then
  cat >"bin/$2.$$" && chmod 755 "bin/$2.$$" && mv "bin/$2.$$" "bin/$2" || exit 75
fi
id -u
)sh";

// One program fewer is a job sooner: a spec or an id that was cut off is known for what it is.
constexpr std::string_view kSubmit = R"sh(umask 077
f=$1 name=$2 script=$3 owner=$4
shift 4
if ! mkdir "$f" "$f/work" "$f/tmp" 2>/dev/null; then
  [ -d "$f" ] || { mkdir "$f"; exit 75; }
  if [ -s "$f/job" ]; then cat "$f/job"; exit 0; fi
  if [ -e "$f/state" ] || [ -e "$f/end" ]; then echo 0; exit 0; fi
  j=$(squeue --noheader --all --states=all --name="$name" --format=%A) || exit 75
  j=${j%%
*}
  if [ -n "$j" ]; then echo "$j" >"$f/job" && echo "$j"; exit; fi
  mkdir -p "$f/work" "$f/tmp" || exit 75
fi
{ cat >"$f/spec" && printf %s "$script" >"$f/job.sh"; } || exit 75
[ -z "$owner" ] || chown -R "$owner" "$f" || exit 75
j=$(sbatch "$@" "$f/job.sh") || exit 76
echo "$j" >"$f/job" || exit 75
echo "$j"
)sh";

constexpr std::string_view kAdopt = R"sh(cd "$1" || exit 75
{ printf 'version\0'
  find tasks -mindepth 2 -maxdepth 2 -type f \
    \( -name job -o -name spec -o -name stop -o -name state -o -name end \) -print0; } |
  tar --create --null --no-recursion --ignore-failed-read --files-from=- 2>/dev/null
[ $? -le 1 ]
)sh";

// Marks go first, so that one that is made meanwhile is seen the next time.
constexpr std::string_view kLook = R"sh(cd "$1/marks" || exit 75
set -- *.*
[ -e "$1" ] || exit 0
rm -f -- "$@"
cd ..
{ printf 'version\0'; printf 'tasks/%s/state\0' "$@"; } |
  tar --create --null --no-recursion --ignore-failed-read --files-from=- 2>/dev/null
:
)sh";

constexpr std::string_view kStates = R"sh(cd "$1" || exit 75
shift
{ printf 'version\0'; printf 'tasks/%s/state\0' "$@"; } |
  tar --create --null --no-recursion --ignore-failed-read --files-from=- 2>/dev/null
:
)sh";

constexpr std::string_view kStop = R"sh(cd "$1" || exit 75
{ printf 'signal=%s\ngrace=%s\n' "$3" "$4" >stop.new && mv stop.new stop; } || exit 75
[ "$2" = 0 ] && exit
scancel --quiet --state=PENDING "$2"
scancel --batch --signal=TERM "$2"
)sh";

constexpr std::string_view kRemove = R"sh(rm -f -- "$1/spec" && rm -rf -- "$1")sh";

constexpr std::string_view kSizes = R"sh(cd "$1/tasks" || exit 75
shift
for k; do stat -c '%n %s' "$k"/log.[0-9]* 2>/dev/null; done
:
)sh";

// Bytes count from 1.
constexpr std::string_view kRead = R"sh([ ! -e "$1" ] || tail -c "+$2" -- "$1" | head -c "$3")sh";

std::vector<std::string> WithNames(const Layout& layout, std::span<const TaskKey> keys) {
  std::vector<std::string> words = {layout.root};
  for (const TaskKey& key : keys) words.push_back(FolderName(key));
  return words;
}

}  // namespace

Command PrepareScript(const Layout& layout, std::string shim) {
  return Shell(kPrepare, {layout.root, layout.shim_name}, std::move(shim));
}

Command SubmitScript(Submission submission) {
  std::vector<std::string> words = {submission.folder, submission.job_name, submission.script,
                                    submission.owner};
  words.insert(words.end(), submission.sbatch.begin(), submission.sbatch.end());
  return Shell(kSubmit, std::move(words), std::move(submission.spec));
}

Command AdoptScript(const Layout& layout) {
  return Shell(kAdopt, {layout.root});
}

Command LookScript(const Layout& layout) {
  return Shell(kLook, {layout.root});
}

Command StatesScript(const Layout& layout, std::span<const TaskKey> keys) {
  return Shell(kStates, WithNames(layout, keys));
}

Command StopScript(const std::string& folder, std::int64_t job, const StopOptions& options) {
  const std::int64_t grace_ms = std::max<std::int64_t>(options.grace.value / 1000, 0);
  return Shell(kStop, {folder, std::to_string(job), std::to_string(options.signal),
                       std::to_string(grace_ms)});
}

Command AppendScript(const std::string& path, std::string text) {
  return Shell(R"sh(umask 077; cat >>"$1")sh", {path}, std::move(text));
}

Command RemoveScript(const std::string& folder) {
  return Shell(kRemove, {folder});
}

Command LogSizesScript(const Layout& layout, std::span<const TaskKey> keys) {
  return Shell(kSizes, WithNames(layout, keys));
}

Command ReadScript(const std::string& path, std::int64_t offset, std::size_t limit) {
  return Shell(kRead, {path, std::to_string(offset + 1), std::to_string(limit)});
}

}  // namespace yard::engine::slurm
