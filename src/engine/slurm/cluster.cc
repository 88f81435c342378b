#include "engine/slurm/cluster.h"

#include <utility>

#include <fmt/format.h>

#include "base/crc32c.h"
#include "base/file.h"
#include "base/log.h"
#include "base/strings.h"
#include "engine/local/tasks/spec_text.h"
#include "engine/slurm/archive.h"
#include "engine/slurm/scripts.h"
#include "engine/slurm/words.h"
#include "shim/format.h"

namespace yard::engine::slurm {
namespace {

constexpr std::size_t kRootMost = 80;
constexpr const char* kEndName = "end";

Command Plain(std::vector<std::string> argv) {
  Command command;
  command.argv = std::move(argv);
  return command;
}

std::string Words(const Output& output) {
  std::string words(Trim(output.err));
  return words.empty() ? fmt::format("exit code {}", output.code) : words;
}

// "tasks/<name>/<file>"
std::optional<std::pair<TaskKey, std::string>> TaskFile(std::string_view path) {
  const std::vector<std::string_view> parts = Split(path, '/');
  if (parts.size() != 3 || parts[0] != "tasks") return std::nullopt;
  const std::optional<TaskKey> key = ParseFolderName(parts[1]);
  if (!key) return std::nullopt;
  return std::pair(*key, std::string(parts[2]));
}

std::optional<StopOptions> ParseStop(std::string_view text) {
  if (text.empty()) return std::nullopt;
  StopOptions stop;
  for (std::string_view line : Split(text, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::optional<std::int64_t> value = ParseInt(line.substr(equals + 1));
    if (value && line.starts_with("signal=")) stop.signal = static_cast<int>(*value & 0x7f);
    if (value && line.starts_with("grace=")) stop.grace = Micros(*value * 1000);
  }
  return stop;
}

}  // namespace

Cluster::Cluster(SlurmOptions options, std::unique_ptr<Site> site, Layout layout, std::string shim)
    : options_(std::move(options)),
      site_(std::move(site)),
      layout_(std::move(layout)),
      shim_(std::move(shim)),
      uid_(0) {}

Result<std::unique_ptr<Cluster>> Cluster::Open(SlurmOptions options, std::unique_ptr<Site> site) {
  if (options.root.size() > kRootMost || !options.root.starts_with('/'))
    return Fail(Code::kInvalid, fmt::format("'{}' cannot be the folder for tasks", options.root),
                fmt::format("name an absolute path of at most {} bytes", kRootMost));
  YARD_ASSIGN(std::string shim, ReadFile(options.shim));
  Layout layout{options.root, fmt::format("gpuyard-shim-{:08x}", Crc32c(shim))};
  return std::unique_ptr<Cluster>(
      new Cluster(std::move(options), std::move(site), std::move(layout), std::move(shim)));
}

Status Cluster::Prepare() {
  YARD_ASSIGN(Output output, site_->Run(PrepareScript(layout_, shim_)));
  const std::optional<std::int64_t> uid = ParseInt(Trim(output.out));
  if (output.code != 0 || !uid)
    return Fail(Code::kUnavailable,
                fmt::format("cannot use {} on {}: {}", layout_.root, site_->name(), Words(output)));
  uid_ = static_cast<std::uint32_t>(*uid);
  return {};
}

Result<Output> Cluster::Ask(const Command& command) const {
  YARD_ASSIGN(Output output, site_->Run(command));
  if (output.code == 0) return output;
  return Fail(Code::kUnavailable,
              fmt::format("{} on {}: {}", command.argv.front(), site_->name(), Words(output)));
}

Result<std::map<std::string, std::string>> Cluster::Files(const Command& command) const {
  YARD_ASSIGN(Output output, Ask(command));
  return ReadArchive(output.out);
}

Status Cluster::CheckAccount(const TaskSpec& spec) const {
  const bool is_root = uid_ == 0;
  if (is_root && !spec.account && options_.root_jobs == RootJobs::kRefused)
    return Fail(Code::kInvalid, "jobs do not run as root", "name an account");
  if (is_root && spec.account && !shim::IsPersonal(spec.account->uid, spec.account->gid))
    return Fail(Code::kInvalid,
                fmt::format("jobs do not run as the system's user {}", spec.account->uid),
                "name a person's account");
  if (is_root || !spec.account || spec.account->uid == uid_) return {};
  return Fail(Code::kInvalid,
              fmt::format("cannot run as user {}: jobs on {} are submitted by user {}",
                          spec.account->uid, site_->name(), uid_.load()));
}

Result<std::vector<FoundTask>> Cluster::Find() {
  YARD_ASSIGN(auto files, Files(AdoptScript(layout_)));
  std::map<TaskKey, std::map<std::string, std::string>> by_task;
  for (auto& [path, content] : files)
    if (auto file = TaskFile(path)) by_task[file->first][file->second] = std::move(content);
  std::vector<FoundTask> found;
  for (auto& [key, parts] : by_task) {
    Result<TaskSpec> spec = DecodeSpec(parts[shim::kSpecName]);
    if (!spec) continue;  // it was never taken
    FoundTask task{.spec = std::move(*spec)};
    task.job = ParseSubmitted(parts["job"]);
    task.stop = ParseStop(parts[shim::kStopName]);
    if (!parts[shim::kStateName].empty()) task.record = ParseTaskState(parts[shim::kStateName]);
    task.end = ParseTaskState(parts[kEndName]).end;
    if (task.end && task.record.end) task.end->used = task.record.end->used;
    found.push_back(std::move(task));
  }
  FindJobs(found);
  return found;
}

// Tasks whose submission was cut off half-way: Slurm has the job under its name, or nobody has.
// Without an answer they count as never taken; a repeated launch finds the job.
void Cluster::FindJobs(std::vector<FoundTask>& tasks) {
  auto is_cut_off = [](const FoundTask& task) {
    return !task.job && task.record.shim == 0 && !task.end;
  };
  std::vector<std::string> names;
  for (const FoundTask& task : tasks)
    if (is_cut_off(task)) names.push_back(JobName(task.spec.key));
  if (names.empty()) return;
  Result<Output> output = Ask(Plain(FindCommand(names)));
  const std::map<std::string, JobId> jobs =
      output ? ParseFound(output->out) : std::map<std::string, JobId>();
  std::erase_if(tasks, [&](FoundTask& task) {
    if (!is_cut_off(task)) return false;
    auto job = jobs.find(JobName(task.spec.key));
    if (job != jobs.end())
      task.job = job->second;
    else if (output)
      (void)Remove(task.spec.key);
    return job == jobs.end();
  });
}

Result<Submitted> Cluster::Submit(const TaskSpec& spec) {
  Submission submission{.folder = layout_.TaskFolder(spec.key),
                        .job_name = JobName(spec.key),
                        .script = JobScript(spec, layout_),
                        .owner = {},
                        .spec = SpecText(spec, layout_, options_),
                        .sbatch = SbatchArguments(spec, layout_, options_.submit)};
  if (spec.account && spec.account->uid != uid_)
    submission.owner = fmt::format("{}:{}", spec.account->uid, spec.account->gid);
  YARD_ASSIGN(Output output, site_->Run(SubmitScript(std::move(submission))));
  const std::optional<JobId> job = ParseSubmitted(output.out);
  if (output.code == 0 && (job || Trim(output.out) == "0")) return Submitted{job, {}};
  const std::string words = Words(output);
  if (output.code == kRefused && !IsOutage(words)) return Submitted{{}, words};
  return Fail(Code::kUnavailable,
              fmt::format("cannot submit to Slurm on {}: {}", site_->name(), words));
}

Status Cluster::Stop(const TaskKey& key, std::optional<JobId> job, const StopOptions& options) {
  YARD_ASSIGN(Output output,
              site_->Run(StopScript(layout_.TaskFolder(key), job ? job->value : 0, options)));
  // scancel fails without a word when the job has ended already and the signal is not KILL.
  const bool has_ended = output.code == 1 && Trim(output.err).empty();
  if (output.code == 0 || has_ended || IsGone(output.err)) return {};
  return Fail(Code::kUnavailable,
              fmt::format("cannot stop a job of Slurm on {}: {}", site_->name(), Words(output)));
}

Status Cluster::Kill(JobId job) {
  YARD_ASSIGN(Output output, site_->Run(Plain({"scancel", "--quiet", std::to_string(job.value)})));
  if (output.code == 0 || IsGone(output.err)) return {};
  return Fail(Code::kUnavailable, Words(output));
}

Status Cluster::NoteEnd(const TaskKey& key, const TaskEnd& end) {
  const std::string path = layout_.TaskFolder(key) + "/" + kEndName;
  YARD_ASSIGN(const Output written, Ask(AppendScript(path, RenderTaskEnd(end))));
  return {};
}

Status Cluster::Remove(const TaskKey& key) {
  YARD_ASSIGN(const Output removed, Ask(RemoveScript(layout_.TaskFolder(key))));
  return {};
}

Result<Cluster::Records> Cluster::RecordsFrom(const Command& command) const {
  YARD_ASSIGN(auto files, Files(command));
  Records records;
  for (const auto& [path, content] : files)
    if (auto file = TaskFile(path)) records[file->first] = ParseTaskState(content);
  return records;
}

Result<Cluster::Records> Cluster::Look() {
  return RecordsFrom(LookScript(layout_));
}

Result<Cluster::Records> Cluster::RecordsOf(std::span<const TaskKey> keys) {
  return RecordsFrom(StatesScript(layout_, keys));
}

Result<std::vector<Job>> Cluster::Jobs(std::span<const JobId> jobs) {
  if (jobs.empty()) return std::vector<Job>();
  YARD_ASSIGN(Output output, site_->Run(Plain(SqueueCommand(jobs))));
  if (output.code == 0) return ParseSqueue(output.out);
  if (IsGone(output.err)) return std::vector<Job>();
  return Fail(Code::kUnavailable, fmt::format("squeue on {}: {}", site_->name(), Words(output)));
}

std::vector<Job> Cluster::PastJobs(std::span<const JobId> jobs) {
  if (jobs.empty()) return {};
  Result<Output> output = site_->Run(Plain(SacctCommand(jobs)));
  if (!output || output->code != 0) return {};
  return ParseSacct(output->out);
}

Result<std::vector<Node>> Cluster::Nodes() {
  YARD_ASSIGN(Output output, Ask(Plain(NodesCommand())));
  std::vector<Node> nodes = ParseNodes(output.out);
  YARD_ASSIGN(Output reserved, Ask(Plain(ReservationsCommand())));
  auto by_node = ParseReservations(reserved.out);
  for (Node& node : nodes) node.reservations = std::move(by_node[node.name]);
  return nodes;
}

Result<std::map<TaskKey, std::int64_t>> Cluster::LogSizes(std::span<const TaskKey> keys) {
  YARD_ASSIGN(Output output, Ask(LogSizesScript(layout_, keys)));
  std::map<TaskKey, std::int64_t> sizes;
  for (std::string_view line : Split(output.out, '\n')) {
    const std::size_t space = line.rfind(' ');
    const std::optional<TaskKey> key = ParseFolderName(line.substr(0, line.find('/')));
    if (!key || space == std::string_view::npos) continue;
    sizes[*key] += ParseInt(line.substr(space + 1)).value_or(0);
  }
  return sizes;
}

}  // namespace yard::engine::slurm
