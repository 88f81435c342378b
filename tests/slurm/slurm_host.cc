#include "tests/slurm/slurm_host.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>

#include "base/check.h"
#include "base/file.h"
#include "base/steady_clock.h"
#include "base/strings.h"

namespace yard::engine::testing {
namespace {

namespace fs = std::filesystem;

// A shim that has told the end still has to leave, and so has Slurm's own watcher.
constexpr Micros kPatience = Seconds(60);

std::string Needed(const char* name) {
  const char* value = ::getenv(name);
  YARD_CHECK(value != nullptr);
  return value;
}

void AddProcesses(const std::string& root, std::vector<std::string>& found) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string pid = entry.path().filename();
    if (!ParseInt(pid) || pid == std::to_string(::getpid())) continue;
    const bool ours = fs::read_symlink(entry.path() / "cwd", ignored).native().contains(root) ||
                      ReadFileOrEmpty(entry.path() / "cmdline").contains(root) ||
                      ReadFileOrEmpty(entry.path() / "environ").contains(root);
    // The shared connection stays for a minute.
    if (ReadFileOrEmpty(entry.path() / "cmdline").starts_with("ssh: ")) continue;
    const bool dead = ReadFileOrEmpty(entry.path() / "stat").contains(") Z ");
    if (ours && !dead)
      found.push_back(
          fmt::format("process {}: {}", pid, ReadFileOrEmpty(entry.path() / "cmdline")));
  }
}

std::vector<std::string> Found(const std::string& root) {
  std::vector<std::string> found;
  AddProcesses(root, found);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root + "/tasks", ignored))
    found.push_back(fmt::format("folder {}", entry.path().native()));
  // The work folder names the job's folder, so jobs of other tests are not counted.
  const std::string jobs = RunHere({"squeue", "--noheader", "--format=%A %T %Z"});
  for (std::string_view line : Split(jobs, '\n'))
    if (line.contains(root)) found.push_back(fmt::format("job {}", line));
  return found;
}

}  // namespace

slurm::Variables LabVariables() {
  return {{"PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"},
          {"SLURM_CONF", Needed("SLURM_CONF")},
          {"TZ", "UTC"},
          {"LC_ALL", "C"}};
}

slurm::SshOptions LoginOptions(const std::string& folder) {
  slurm::SshOptions options;
  options.host = "127.0.0.1";
  options.user = "root";
  options.port = static_cast<std::uint16_t>(ParseInt(Needed("YARD_LOGIN_PORT")).value_or(0));
  options.key_file = Needed("YARD_LOGIN_KEY");
  options.known_hosts_file = Needed("YARD_LOGIN_KNOWN_HOSTS");
  options.control_path = folder + "/login";
  options.variables = LabVariables();
  return options;
}

std::string RunHere(const std::vector<std::string>& argv) {
  Result<slurm::Output> output = slurm::MakeLocalSite(LabVariables())->Run({argv});
  EXPECT_TRUE(output) << output.error().message;
  if (!output) return {};
  EXPECT_EQ(output->code, 0) << output->err;
  return output->out;
}

void Lab(const std::string& verb, const std::string& daemon) {
  RunHere({Needed("YARD_SLURM_LAB_TOOL"), verb, Needed("YARD_SLURM_LAB"), daemon});
}

SlurmHost::SlurmHost() {
  std::string path = Needed("YARD_SLURM_LAB") + "/gy-XXXXXX";
  options_.root = ::mkdtemp(path.data());
  options_.shim = Needed("YARD_SHIM");
  options_.root_jobs = slurm::RootJobs::kAllowed;
}

SlurmHost::~SlurmHost() {
  std::error_code ignored;
  fs::remove_all(options_.root, ignored);
}

std::unique_ptr<slurm::Site> SlurmHost::MakeSite() const {
  return slurm::MakeLocalSite(LabVariables());
}

std::unique_ptr<Engine> SlurmHost::Open() {
  Result<std::unique_ptr<Engine>> engine = slurm::OpenSlurmEngine(options_, MakeSite());
  if (engine) return std::move(*engine);
  ADD_FAILURE() << engine.error().message;
  return nullptr;
}

TaskSpec SlurmHost::Shell(const std::string& script) const {
  TaskSpec spec;
  spec.node = "n1";
  spec.title = "test";
  spec.command = {"/bin/sh", "-c"};
  spec.args = {script};
  return spec;
}

std::vector<std::string> SlurmHost::Leftovers() const {
  const Time until = SteadyClock().Now() + kPatience;
  std::vector<std::string> found = Found(options_.root);
  while (!found.empty() && SteadyClock().Now() < until) {
    ::poll(nullptr, 0, 50);
    found = Found(options_.root);
  }
  return found;
}

}  // namespace yard::engine::testing
