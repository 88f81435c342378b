#include "cli/job/node_script.h"

#include <fmt/format.h>

#include "cli/submit/words.h"

namespace yard::cli {
namespace {

// The snapshot belongs to all jobs that use it; this job changes only its own copy.
constexpr std::string_view kCopy = R"sh(place=$(mktemp -d "{}/gpuyard-job.XXXXXX") || exit 73
mkdir "$place/code" && cp -R -P -p "${{{}:?}}/." "$place/code/" || exit 73
chmod -R u+rwX "$place/code" && cd "$place/code" || exit 73
)sh";

// On the file system that the nodes share: what is written is there whatever becomes of the job.
constexpr std::string_view kOutput = R"sh(output={}
mkdir -p "${{GPUYARD_OUTPUT:?}}/$output" && mkdir -p "$(dirname "./$output")" || exit 73
ln -s "$GPUYARD_OUTPUT/$output" "./$output" || exit 73
)sh";

constexpr std::string_view kFindModules = R"sh(if ! command -v module >/dev/null 2>&1; then
  for init in /etc/profile.d/modules.sh /etc/profile.d/lmod.sh /usr/share/modules/init/sh; do
    [ ! -r "$init" ] || { . "$init"; break; }
  done
fi
)sh";

constexpr std::string_view kModule =
    R"sh(module load {0} || {{ echo "gpuyard job: module "{0}" cannot be loaded" >&2; exit 78; }}
)sh";

constexpr std::string_view kImage = R"sh(tool=$(command -v apptainer || command -v singularity) ||
  {{ echo "gpuyard job: this node has neither apptainer nor singularity" >&2; exit 127; }}
[ -e {0} ] || {{ echo "gpuyard job: there is no image "{0} >&2; exit 78; }}
[ ! -e /dev/nvidiactl ] || set -- --nv "$@"
)sh";

// A folder of the node outlives the job unless the job takes it away.
constexpr std::string_view kCleanUp = R"sh("$@" &
command=$!
trap 'kill -TERM "$command"' TERM INT
wait "$command"; code=$?
while kill -0 "$command" 2>/dev/null; do wait "$command"; code=$?; done
cd / && rm -rf "$place"
trap - TERM INT
[ "$code" -le 128 ] || kill -"$((code - 128))" "$$"
exit "$code"
)sh";

// The image's own words come before the command: built from the end to the beginning.
std::string ImageLines(const JobProfile& profile) {
  const std::string inside =
      profile.code_in_image.empty() ? "\"$PWD\"" : QuoteWord(profile.code_in_image);
  std::string binds = fmt::format("--bind \"$PWD\":{0} --pwd {0}", inside);
  for (const std::string& output : profile.outputs)
    binds += fmt::format(" --bind \"$GPUYARD_OUTPUT\"/{0}:{1}/{0}", QuoteWord(output), inside);
  for (const std::string& bind : profile.binds) binds += " --bind " + QuoteWord(bind);
  const std::string image = QuoteWord(profile.image);
  return fmt::format("set -- {} {} \"$@\"\n", binds, image) + fmt::format(kImage, image) +
         "set -- \"$tool\" exec \"$@\"\n";
}

}  // namespace

std::string DataVariable(std::string_view name) {
  std::string variable = "GPUYARD_DATA_";
  for (char c : name) {
    const bool lower = c >= 'a' && c <= 'z';
    const bool kept = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    variable.push_back(lower ? static_cast<char>(c - 'a' + 'A') : kept ? c : '_');
  }
  return variable;
}

std::string NodeScript(const JobProfile& profile, const std::string& data_set) {
  const std::string scratch = profile.scratch.empty() ? "${TMPDIR:?}" : profile.scratch;
  std::string script = fmt::format(kCopy, scratch, DataVariable(data_set));
  for (const std::string& output : profile.outputs)
    script += fmt::format(kOutput, QuoteWord(output));
  if (!profile.modules.empty()) script += kFindModules;
  for (const std::string& module : profile.modules)
    script += fmt::format(kModule, QuoteWord(module));
  for (const std::string& line : profile.setup) script += line + "\n";
  if (!profile.image.empty()) script += ImageLines(profile);
  script += profile.scratch.empty() ? "exec \"$@\"\n" : std::string(kCleanUp);
  return script;
}

}  // namespace yard::cli
