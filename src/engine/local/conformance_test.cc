#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>

#include "base/file.h"
#include "engine/local/local_host.h"
#include "engine/local/native/cgroups.h"
#include "engine/local/tasks/ended_tasks.h"

extern const char kShimProgram[];  // see yard_paths

namespace yard::engine::testing {
namespace {

namespace fs = std::filesystem;

// Processes that are in the folder, have it in their command line or are in one of our groups.
void AddProcesses(const LocalOptions& options, std::vector<std::string>& found) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string pid = entry.path().filename();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    const bool ours =
        fs::read_symlink(entry.path() / "cwd", ignored).native().contains(options.root) ||
        ReadFileOrEmpty(entry.path() / "cmdline").contains(options.root) ||
        ReadFileOrEmpty(entry.path() / "environ").contains(options.root) ||
        ReadFileOrEmpty(entry.path() / "cgroup").contains("/" + options.cgroup + "/");
    // Whoever is dead but not yet reaped by the machine's first process runs no more.
    const bool dead = ReadFileOrEmpty(entry.path() / "stat").contains(") Z ");
    if (ours && !dead && pid != std::to_string(::getpid()))
      found.push_back(
          fmt::format("process {}: {}", pid, ReadFileOrEmpty(entry.path() / "cmdline")));
  }
}

void AddGroups(const LocalOptions& options, std::vector<std::string>& found) {
  std::error_code ignored;
  std::vector<fs::path> folders = {fs::path("/sys/fs/cgroup") / options.cgroup};
  for (const auto& entry : fs::directory_iterator("/sys/fs/cgroup", ignored))
    folders.push_back(entry.path() / options.cgroup);
  for (const fs::path& folder : folders)
    if (!options.cgroup.empty() && fs::exists(folder, ignored))
      found.push_back(fmt::format("control group {}", folder.native()));
}

}  // namespace

LocalHost::LocalHost() {
  char path[] = "/tmp/gpuyard-engine-XXXXXX";
  options_.root = ::mkdtemp(path);
  options_.data_sets = options_.root + "/data-sets";
  options_.shim = kShimProgram;
  options_.root_tasks = RootTasks::kAllowed;
  options_.cgroup = options_.root.substr(5);
}

LocalHost::~LocalHost() {
  std::error_code ignored;
  fs::remove_all(options_.root, ignored);
}

std::unique_ptr<Engine> LocalHost::Open() {
  Result<std::unique_ptr<Engine>> engine = OpenLocalEngine(options_, {});
  if (engine) return std::move(*engine);
  ADD_FAILURE() << engine.error().message;
  return nullptr;
}

std::string LocalHost::LimitsMissing() const {
  return ::geteuid() == 0 ? "" : "needs root to make control groups";
}

TaskSpec LocalHost::Shell(const std::string& script) const {
  TaskSpec spec;
  spec.command = {"/bin/sh", "-c"};
  spec.args = {script};
  return spec;
}

std::vector<std::string> LocalHost::Leftovers() const {
  std::vector<std::string> found;
  AddProcesses(options_, found);
  AddGroups(options_, found);
  if (ReadFileOrEmpty("/proc/self/mountinfo").contains(options_.root)) found.push_back("a mount");
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(options_.root + "/tasks", ignored))
    found.push_back(fmt::format("folder {}", entry.path().native()));
  auto ended = OpenEndedTasks(options_.root, EndedMode::kRead);
  if (ended && *ended) {
    EXPECT_TRUE((*ended)->EachState(
        [&](const TaskKey&, std::string_view) { found.push_back("the record of a task"); }));
  }
  return found;
}

namespace {

// The same machine without control groups: what a person without root gets.
std::unique_ptr<Host> WithoutGroups() {
  auto host = std::make_unique<LocalHost>();
  host->options().cgroup.clear();
  return host;
}

const Subject kNative{"native", [] { return std::make_unique<LocalHost>(); }};
// Ended tasks are put away as soon as they can be.
std::unique_ptr<Host> PackedAtOnce() {
  auto host = std::make_unique<LocalHost>();
  host->options().pack_after = Micros(1);
  return host;
}

const auto kAll = ::testing::Values(kNative, Subject{"without_groups", WithoutGroups},
                                    Subject{"packed_at_once", PackedAtOnce});

INSTANTIATE_TEST_SUITE_P(Local, Conformance, kAll, SubjectName);
INSTANTIATE_TEST_SUITE_P(Local, ProcessConformance, kAll, SubjectName);
INSTANTIATE_TEST_SUITE_P(Local, LimitConformance, ::testing::Values(kNative), SubjectName);

}  // namespace
}  // namespace yard::engine::testing
