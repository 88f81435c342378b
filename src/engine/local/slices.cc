#include "engine/local/slices.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "base/log.h"
#include "base/uuid.h"
#include "slice/agent/folder.h"

namespace yard::engine {
namespace {

constexpr std::int64_t kWhole = 1000;

bool IsPart(const GpuGrant& grant) {
  return grant.part.value < kWhole && !grant.uuid.starts_with("GPU-declared-");
}

// The driver's libraries are opened by name elsewhere; a slice needs their paths.
std::string FindLibrary(const std::string& name) {
  if (name.contains('/')) return ::access(name.c_str(), R_OK) == 0 ? name : std::string();
  constexpr std::array kFolders = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib",
                                   "/usr/local/nvidia/lib64", "/usr/lib/wsl/lib"};
  for (const char* folder : kFolders) {
    std::string path = fmt::format("{}/{}", folder, name);
    if (::access(path.c_str(), R_OK) == 0) return path;
  }
  return {};
}

std::string NameOf(const TaskKey& key) {
  return fmt::format("{}.{}", FormatUuid(key.attempt.value), key.rank);
}

std::uint64_t NumberOf(const TaskKey& key) {
  return std::hash<Uuid>{}(key.attempt.value) + static_cast<std::uint64_t>(key.rank);
}

std::uint64_t ToBytes(Mebibytes size) {
  return static_cast<std::uint64_t>(size.value) << 20;
}

}  // namespace

bool NeedsSlice(const TaskSpec& spec) {
  return std::ranges::any_of(spec.gpus, IsPart);
}

Slices::Slices(const LocalOptions& options, Gpus& gpus)
    : root_(options.root + "/slices"), gpus_(gpus) {
  const std::string nvml = FindLibrary(options.nvml);
  const std::string cuda = FindLibrary(options.cuda);
  if (gpus.nvml() == nullptr || nvml.empty() || cuda.empty()) {
    missing_ = "there is no NVIDIA driver";
  } else if (::access((options.slice_library + "/libcuda.so.1").c_str(), R_OK) != 0) {
    missing_ = "the slice library is not installed";
  } else {
    std::error_code ignored;
    std::filesystem::create_directories(root_, ignored);
    keeper_ = std::make_unique<slice::Keeper>(
        slice::KeeperOptions{root_, options.slice_library, cuda, nvml},
        [](const slice::Event& event) {
          if (event.kind == slice::EventKind::kOverLimit)
            log::Warning("a GPU slice is over its limit",
                         {{"slice", event.slice}, {"text", event.text}});
        });
  }
}

Result<std::vector<Variable>> Slices::Add(const TaskSpec& spec) {
  slice::SliceSpec wanted;
  wanted.name = NameOf(spec.key);
  wanted.number = NumberOf(spec.key);
  for (const GpuGrant& grant : spec.gpus) {
    const std::optional<slice::Uuid> uuid = slice::ParseUuid(grant.uuid);
    if (!uuid) return Fail(Code::kInvalid, fmt::format("'{}' is no GPU", grant.uuid));
    slice::GpuLimit limit;
    limit.uuid = *uuid;
    limit.physical = ToBytes(gpus_.MemoryOf(grant.uuid));
    limit.hard = limit.soft = ToBytes(grant.memory);
    limit.share_milli = static_cast<std::uint32_t>(grant.weight) * 10;
    if (grant.weight > 0) wanted.mode = slice::ShareMode::kFair;
    wanted.gpus.push_back(limit);
  }
  YARD_ASSIGN(std::string folder, keeper_->Add(wanted));
  auto theirs = std::ranges::find(spec.variables, "LD_LIBRARY_PATH", &Variable::name);
  const std::string path = theirs == spec.variables.end() ? std::string() : theirs->value;
  std::vector<Variable> variables;
  for (const slice::Variable& variable : slice::ProcessEnvironment(folder, path))
    variables.push_back({variable.name, variable.value});
  return variables;
}

int Slices::RegionOf(const TaskSpec& spec) {
  if (!works() || !NeedsSlice(spec)) return -1;
  return keeper_->RegionFd(NameOf(spec.key)).value_or(-1);
}

Status Slices::Adopt(const TaskSpec& spec, int shim) {
  if (!works() || !NeedsSlice(spec)) return {};
  Result<std::string> folder = keeper_->Adopt(NameOf(spec.key), NumberOf(spec.key), shim);
  return folder ? Status() : Fail(folder.error());
}

void Slices::Remove(const TaskSpec& spec) {
  if (!works() || !NeedsSlice(spec)) return;
  // One that was never made is not there either.
  if (!keeper_->Remove(NameOf(spec.key))) return;
  std::error_code ignored;
  std::filesystem::remove_all(fmt::format("{}/{}", root_, NameOf(spec.key)), ignored);
}

}  // namespace yard::engine
