#include "engine/slurm/plan.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/strings.h"
#include "engine/local/tasks/spec_text.h"
#include "engine/slurm/words.h"
#include "shim/format.h"

namespace yard::engine::slurm {
namespace {

// What Slurm sets for a job on its node, and the account's own.
constexpr std::array<std::string_view, 11> kInherited = {"SLURM",
                                                         "CUDA_VISIBLE_DEVICES=",
                                                         "ROCR_VISIBLE_DEVICES=",
                                                         "HIP_VISIBLE_DEVICES=",
                                                         "ZE_AFFINITY_MASK=",
                                                         "GPU_DEVICE_ORDINAL=",
                                                         "HOME=",
                                                         "USER=",
                                                         "LOGNAME=",
                                                         "SHELL=",
                                                         "XDG_RUNTIME_DIR="};

// Work elsewhere has these with values of Gpuyard; here Slurm's own are true.
constexpr std::array<std::string_view, 4> kSlurmsOwn = {"SLURM_JOB_ID", "SLURM_JOB_NAME",
                                                        "SLURM_SUBMIT_DIR", "SLURM_CPUS_PER_TASK"};

constexpr std::int64_t kWholeGpu = 1000;

std::unexpected<Error> Refuse(std::string why, std::string next) {
  return Fail(Code::kInvalid, std::move(why), std::move(next));
}

Status CheckMount(const Mount& mount) {
  if (mount.kind == MountKind::kHostPath && mount.source == mount.target) return {};
  if (mount.kind == MountKind::kDataSet) return {};  // found by its variable
  if (mount.kind == MountKind::kOutput) {
    return Refuse(
        fmt::format("cannot save {}: jobs of Slurm see the paths of their node", mount.target),
        "save a folder of $GPUYARD_OUTPUT, by a path without a leading '/'");
  }
  return Refuse(
      fmt::format("cannot mount on {}: jobs of Slurm see the paths of their node", mount.target),
      "use the path itself, on a file system that the nodes have");
}

void Add(std::vector<std::string>& words, std::string_view name, std::string_view value) {
  if (!value.empty()) words.push_back(fmt::format("--{}={}", name, value));
}

// GPUs of one task by type; Slurm chooses which of a type.
std::map<std::string, std::int64_t> GpuCounts(const TaskSpec& spec) {
  std::map<std::string, std::int64_t> counts;
  for (const GpuGrant& gpu : spec.gpus) ++counts[std::string(GpuType(gpu.uuid))];
  return counts;
}

std::string Gres(const TaskSpec& spec) {
  std::string gres;
  for (const auto& [type, count] : GpuCounts(spec))
    gres +=
        fmt::format("{}gpu{}{}:{}", gres.empty() ? "" : ",", type.empty() ? "" : ":", type, count);
  return gres;
}

std::string Minutes(Micros limit) {
  constexpr std::int64_t kMinute = 60'000'000;
  return std::to_string(std::max<std::int64_t>((limit.value + kMinute - 1) / kMinute, 1));
}

// Nothing is mounted: the variable that names the place of a data set has the folder itself.
std::string ValueOf(const TaskSpec& spec, const Layout& layout, const Variable& variable) {
  if (!variable.name.starts_with("GPUYARD_DATA_")) return variable.value;
  for (const Mount& mount : spec.mounts) {
    if (mount.kind == MountKind::kDataSet && mount.target == variable.value)
      return layout.DataFolder(mount.source);
  }
  return variable.value;
}

void AddVariables(std::string& out, const TaskSpec& spec, const Layout& layout,
                  const std::string& path) {
  const std::string folder = layout.TaskFolder(spec.key);
  std::map<std::string, std::string> variables = {
      {"PATH", path},
      {"LANG", "C.UTF-8"},
      {"TMPDIR", folder + "/" + shim::kTmpName},
      {"GPUYARD_OUTPUT", folder + "/" + shim::kWorkName}};
  if (spec.tty) variables["TERM"] = "xterm-256color";
  for (const Variable& variable : spec.variables) {
    if (std::ranges::find(kSlurmsOwn, variable.name) == kSlurmsOwn.end())
      variables[variable.name] = ValueOf(spec, layout, variable);
  }
  for (const auto& [name, value] : variables)
    AppendSpecLine(out, shim::key::kEnv, name + "=" + value);
}

}  // namespace

std::string Layout::TaskFolder(const TaskKey& key) const {
  return fmt::format("{}/tasks/{}", root, FolderName(key));
}

std::string Layout::Mark(const TaskKey& key) const {
  return fmt::format("{}/marks/{}", root, FolderName(key));
}

std::string Layout::DataFolder(std::string_view source) const {
  return fmt::format("{}/data/{}", root, source);
}

Status CheckTask(const TaskSpec& spec) {
  if (spec.container)
    return Refuse("this Slurm cluster runs plain processes only", "leave out the image");
  if (spec.command.empty() && spec.args.empty())
    return Refuse("there is no command to run", "name one");
  if (spec.tty)
    return Refuse("a job of Slurm has no terminal of its own", "open a shell beside it");
  for (const GpuGrant& gpu : spec.gpus)
    if (gpu.part.value != kWholeGpu)
      return Refuse("Slurm gives whole GPUs only", "ask for whole GPUs");
  for (const Mount& mount : spec.mounts) YARD_TRY(CheckMount(mount));
  return {};
}

std::string SpecText(const TaskSpec& spec, const Layout& layout, const SlurmOptions& options) {
  std::string out = EncodeSpec(spec);
  AppendSpecLine(out, shim::key::kTask, FolderName(spec.key));
  AppendSpecLine(out, shim::key::kMark, layout.Mark(spec.key));
  AppendSpecLine(out, shim::key::kLogLimit, std::to_string(spec.limits.log.value << 20));
  AppendSpecLine(out, shim::key::kSync, "1");
  // Who may be root is decided before, by CheckAccount.
  AppendSpecLine(out, shim::key::kAsRoot, "1");
  for (const std::string& word : spec.command) AppendSpecLine(out, shim::key::kArg, word);
  for (const std::string& word : spec.args) AppendSpecLine(out, shim::key::kArg, word);
  AddVariables(out, spec, layout, options.path);
  for (std::string_view prefix : kInherited) AppendSpecLine(out, shim::key::kInherit, prefix);
  AppendSpecLine(out, shim::key::kCwd,
                 spec.working_dir.empty() ? layout.TaskFolder(spec.key) + "/" + shim::kWorkName
                                          : spec.working_dir);
  out += shim::kSpecEnd;
  out.push_back('\0');
  return out;
}

std::string JobScript(const TaskSpec& spec, const Layout& layout) {
  const std::string folder = ShellWord(layout.TaskFolder(spec.key));
  return fmt::format(
      "#!/bin/sh\n"
      "# A task of Gpuyard: {}\n"
      "cd {} || exit 1\n"
      "[ ! -e {} ] || exit 0\n"
      "HOME=${{HOME:-$(getent passwd \"$(id -u)\" | cut -d: -f6)}} USER=$(id -un)\n"
      "LOGNAME=$USER\n"
      "export HOME USER LOGNAME\n"
      "exec {} {}\n",
      PlainText(spec.title), folder, shim::kStopName, ShellWord(layout.Shim()), folder);
}

std::vector<std::string> SbatchArguments(const TaskSpec& spec, const Layout& layout,
                                         const SubmitOptions& options) {
  constexpr std::int64_t kMilli = 1000;
  const std::string folder = layout.TaskFolder(spec.key);
  std::vector<std::string> words = {"--parsable", "--no-requeue", "--export=ALL", "--nodes=1",
                                    "--ntasks=1"};
  Add(words, "job-name", JobName(spec.key));
  Add(words, "comment", PlainText(spec.title));
  Add(words, "chdir", folder);
  Add(words, "output", folder + "/slurm.out");
  Add(words, "nodelist", spec.node);
  Add(words, "gres", Gres(spec));
  if (spec.limits.cpu.value > 0)
    Add(words, "cpus-per-task", std::to_string((spec.limits.cpu.value + kMilli - 1) / kMilli));
  if (spec.limits.memory.value > 0) Add(words, "mem", fmt::format("{}M", spec.limits.memory.value));
  if (options.time_limit) Add(words, "time", Minutes(*options.time_limit));
  if (spec.account) {
    Add(words, "uid", std::to_string(spec.account->uid));
    Add(words, "gid", std::to_string(spec.account->gid));
  }
  Add(words, "partition", options.partition);
  Add(words, "account", options.account);
  Add(words, "qos", options.qos);
  Add(words, "reservation", options.reservation);
  Add(words, "constraint", options.constraint);
  words.insert(words.end(), options.more.begin(), options.more.end());
  return words;
}

std::string GpuName(std::string_view node, std::string_view type, std::int64_t index) {
  return fmt::format("slurm:{}:{}:{}", node, type, index);
}

std::string_view GpuType(std::string_view name) {
  const std::vector<std::string_view> parts = Split(name, ':');
  return parts.size() == 4 && parts[0] == "slurm" ? parts[2] : std::string_view();
}

}  // namespace yard::engine::slurm
