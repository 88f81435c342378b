#include "demo/work.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "control/commands/infra.h"
#include "control/commands/workloads.h"
#include "demo/lab.h"
#include "wire/workload.h"

namespace yard::demo {
namespace {

using enum WorkloadType;

struct Recipe {
  std::string_view name;
  std::string_view owner;
  std::string_view project;
  std::string_view pool;  // empty: any
  std::string_view command;
  std::string_view unit;  // what it counts in its log
  int milli_gpu = 0;      // of each device
  int devices = 0;
  int cores = 0;
  int memory_gib = 0;
  int least_minutes = 0;
  int most_minutes = 0;
  int weight = 1;
};

constexpr std::array kRecipes = {
    Recipe{"resnet50", "jonas@lab.example", "vision", "a100",
           "python train.py --model resnet50 --data /data/imagenet", "epoch", 1000, 4, 32, 128, 90,
           300, 5},
    Recipe{"vit-base", "aiko@lab.example", "vision", "a100",
           "torchrun --nproc-per-node 8 train.py --model vit-b16", "epoch", 1000, 8, 64, 256, 90,
           300, 2},
    Recipe{"segment-eval", "aiko@lab.example", "vision", "",
           "python evaluate.py --split val --checkpoint last.pt", "batch", 1000, 1, 8, 32, 10, 40,
           6},
    Recipe{"lora-8b", "tomas@lab.example", "language", "h100",
           "accelerate launch finetune.py --model llama-8b --lora", "step", 1000, 2, 24, 192, 60,
           360, 9},
    Recipe{"tokenize", "lena@lab.example", "language", "",
           "python tokenize.py --input /data/web --workers 16", "shard", 0, 0, 16, 64, 20, 90, 3},
    Recipe{"distill", "lena@lab.example", "language", "a100",
           "python distill.py --teacher llama-8b --student llama-1b", "step", 1000, 4, 32, 256, 90,
           300, 3},
    Recipe{"ppo-walker", "ravi@lab.example", "robotics", "", "python ppo.py --env walker",
           "iteration", 500, 1, 8, 24, 30, 200, 7},
    Recipe{"sac-arm", "ravi@lab.example", "robotics", "", "python sac.py --env arm --render off",
           "iteration", 1000, 1, 8, 32, 60, 240, 5},
    Recipe{"exercise-3", "paul@lab.example", "course-ml", "", "python exercise3.py", "epoch", 250,
           1, 2, 8, 5, 25, 9},
    Recipe{"thesis-gan", "ines@lab.example", "theses", "a100", "python gan.py --size 512", "epoch",
           1000, 1, 8, 64, 60, 300, 3},
};

constexpr std::string_view kImage = "pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime";

// Of a hundred jobs, so many end in each way; in the order of Ending.
constexpr std::array<std::uint64_t, kEndings> kOfHundred = {79, 7, 5, 3, 2, 2, 2};

// The words of a job's last moments.
std::string LastWords(Ending ending) {
  switch (ending) {
    case Ending::kCompletes:
      return "echo saved checkpoint to /scratch/last.pt";
    case Ending::kFails:
      return "echo Traceback (most recent call last):; "
             "echo FileNotFoundError: /data/labels/train.json; exit 1";
    case Ending::kGpuMemory:
      return "echo torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB; exit 1";
    case Ending::kMemory:
      return "oom";
    case Ending::kCrashes:
      return "kill -11 $$";
    case Ending::kNoImage:
    case Ending::kTimeLimit:
      return "sleep 86400";
  }
  return "";
}

std::string ScriptOf(const Recipe& recipe, Ending ending, std::int64_t seconds) {
  if (ending == Ending::kNoImage) {
    return fmt::format("refuse cannot pull image {}: manifest unknown", kImage);
  }
  const bool whole = ending == Ending::kCompletes || ending == Ending::kTimeLimit;
  const std::int64_t rounds = std::clamp<std::int64_t>(seconds / 120, 4, 60);
  const std::int64_t done = whole ? rounds : std::max<std::int64_t>(1, rounds / 3);
  return fmt::format(
      "echo [simulated node] {}; sleep 2; repeat {}; sleep {}; echo {} $i/{} done; done; {}",
      recipe.command, done, std::max<std::int64_t>(1, seconds / rounds), recipe.unit, rounds,
      LastWords(ending));
}

json::object ComputeOf(const Recipe& recipe) {
  json::object compute{{"cpuCoreRequest", recipe.cores},
                       {"cpuMemoryRequest", fmt::format("{}G", recipe.memory_gib)}};
  if (recipe.devices == 0) return compute;
  compute["gpuDevicesRequest"] = recipe.devices;
  compute["gpuRequestType"] = "portion";
  compute["gpuPortionRequest"] = recipe.milli_gpu / 1000.0;
  return compute;
}

// People allow some more than they think it takes, in whole hours; forecasts go by that.
std::int64_t LimitOf(Ending ending, std::int64_t seconds) {
  if (ending == Ending::kTimeLimit) return std::max<std::int64_t>(60, seconds);
  return (seconds / 3600 + 1) * 3600;
}

Submission Describe(const Recipe& recipe, Ending ending, std::int64_t seconds) {
  json::object spec{{"image", kImage}, {"command", recipe.command}, {"compute", ComputeOf(recipe)}};
  spec["environmentVariables"] =
      json::array{{{"name", "SIM_SCRIPT"}, {"value", ScriptOf(recipe, ending, seconds)}}};
  if (!recipe.pool.empty()) spec["nodePools"] = json::array{recipe.pool};
  spec["timeLimitSeconds"] = LimitOf(ending, seconds);
  spec["retry"] = {{"limit", 2}, {"on", json::array{"NodeLost"}}};
  return {.owner = std::string(recipe.owner),
          .project = std::string(recipe.project),
          .name = std::string(recipe.name),
          .spec = json::serialize(spec)};
}

}  // namespace

Ending WorkStream::PickEnding() {
  std::uint64_t at = random_.Below(100);
  for (std::size_t i = 0; i < kOfHundred.size(); ++i) {
    if (at < kOfHundred[i]) return static_cast<Ending>(i);
    at -= kOfHundred[i];
  }
  return Ending::kCompletes;
}

Submission WorkStream::Next() {
  std::uint64_t all = 0;
  for (const Recipe& recipe : kRecipes) all += static_cast<std::uint64_t>(recipe.weight);
  std::uint64_t at = random_.Below(all);
  const Recipe* picked = kRecipes.data();
  while (at >= static_cast<std::uint64_t>(picked->weight)) {
    at -= static_cast<std::uint64_t>(picked->weight);
    ++picked;
  }
  const auto spread = static_cast<std::uint64_t>(picked->most_minutes - picked->least_minutes) * 60;
  const auto seconds =
      picked->least_minutes * 60 + static_cast<std::int64_t>(random_.Below(spread));
  Submission submission = Describe(*picked, PickEnding(), seconds);
  submission.name += fmt::format("-{:03}", ++number_);
  return submission;
}

Submission WorkStream::NextShort() {
  static constexpr Recipe kSmoke{
      "smoke", "jonas@lab.example", "vision", "", "pytest -q tests/gpu", "test", 250, 1, 1, 4, 1, 2,
      1};
  const auto seconds = 30 + static_cast<std::int64_t>(random_.Below(90));
  Submission submission = Describe(kSmoke, PickEnding(), seconds);
  submission.name += fmt::format("-{:03}", ++number_);
  return submission;
}

Micros WorkStream::Pause(Micros mean) {
  return Micros(
      static_cast<std::int64_t>(random_.Below(static_cast<std::uint64_t>(mean.value) * 2)));
}

Ptr<Project> ProjectNamed(const control::State& state, std::string_view name) {
  Ptr<Project> found;
  state.Of<Project>().Each([&](const Project& project) {
    if (project.name == name) found = state.Find<Project>(project.id);
  });
  return found;
}

Result<Workload> DraftOf(const control::State& state, const Submission& submission) {
  Ptr<Project> project = ProjectNamed(state, submission.project);
  if (!project) {
    return Fail(Code::kNotFound, fmt::format("there is no project '{}'", submission.project));
  }
  Workload workload;
  workload.type = submission.type;
  workload.name = submission.name;
  workload.project = project->id;
  workload.cluster = project->cluster;
  YARD_TRY(wire::TakeSpecText(workload, submission.spec));
  return workload;
}

Status Submit(control::Service& service, const Submission& submission) {
  Submitter submitter(service);
  YARD_TRY(submitter.Add(submission));
  return submitter.Wait();
}

Status Submitter::Add(const Submission& submission) {
  control::Snapshot state = service_.Read();
  YARD_ASSIGN(Workload workload, DraftOf(*state, submission));
  {
    std::lock_guard lock(mutex_);
    ++under_way_;
  }
  auto create = [workload = std::move(workload)](control::Txn& txn) mutable -> Status {
    YARD_TRY(control::CreateWorkload(txn, {.workload = std::move(workload)}));
    return {};
  };
  auto done = [this](const Status& status) {
    std::lock_guard lock(mutex_);
    if (outcome_ && !status) outcome_ = status;
    if (--under_way_ == 0) done_.notify_all();
  };
  service_.Write(PrincipalOf(*state, submission.owner), {}, std::move(create), std::move(done));
  return {};
}

Status Submitter::Wait() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return under_way_ == 0; });
  return std::exchange(outcome_, {});
}

}  // namespace yard::demo
