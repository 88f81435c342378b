#include "demo/lab.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "control/commands/access_rules.h"
#include "control/commands/assets.h"
#include "control/commands/bootstrap.h"
#include "control/commands/infra.h"
#include "control/commands/org.h"
#include "control/commands/reservations.h"
#include "control/commands/users.h"
#include "demo/nodes.h"

namespace yard::demo {
namespace {

using control::Txn;

constexpr std::array<std::string_view, 2> kPools = {"a100", "h100"};

struct Unit {
  std::string_view name;
  std::string_view department;  // empty: it is one
  std::string_view description;
  std::array<int, 3> gpus;  // deserved in the pools default, a100, h100
  int most = -1;            // in every pool; -1: no limit
};
constexpr std::array kUnits = {
    Unit{"research", "", "Groups that do research", {12, 28, 16}},
    Unit{"teaching", "", "Courses and theses", {6, 4, 0}},
    Unit{"vision", "research", "Images and video", {4, 12, 0}},
    Unit{"language", "research", "Language models", {2, 12, 12}},
    Unit{"robotics", "research", "Learning to move", {6, 4, 0}},
    Unit{"serving", "research", "Models that answer", {0, 0, 4}},
    Unit{"course-ml", "teaching", "The machine learning course", {4, 0, 0}, 6},
    Unit{"theses", "teaching", "Master's theses", {2, 4, 0}},
};

constexpr std::array kPeople = {
    Person{"mara@lab.example", "Department administrator", "research", ""},
    Person{"jonas@lab.example", "L1 researcher", "", "vision"},
    Person{"aiko@lab.example", "L1 researcher", "", "vision"},
    Person{"tomas@lab.example", "L1 researcher", "", "language"},
    Person{"lena@lab.example", "L1 researcher", "", "language"},
    Person{"ravi@lab.example", "L1 researcher", "", "robotics"},
    Person{"noor@lab.example", "ML engineer", "", "serving"},
    Person{"sofia@lab.example", "Research manager", "teaching", ""},
    Person{"paul@lab.example", "L1 researcher", "", "course-ml"},
    Person{"ines@lab.example", "L1 researcher", "", "theses"},
    Person{"guest@lab.example", "Viewer", "", ""},
};

struct AssetRow {
  AssetKind kind;
  std::string_view name;
  std::string_view description;
  std::string_view project;  // empty: for everybody
  std::string_view spec;
};
constexpr std::array kAssets = {
    AssetRow{AssetKind::kEnvironment, "pytorch", "PyTorch with CUDA", "",
             R"({"image":"pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime"})"},
    AssetRow{AssetKind::kEnvironment, "jupyter", "Notebook on PyTorch", "",
             R"({"image":"quay.io/jupyter/pytorch-notebook:cuda12","connections":[{"name":"Jupyter",
"internalToolInfo":{"toolType":"jupyter-notebook","connectionType":"ExternalUrl",
"containerPort":8888}}]})"},
    AssetRow{AssetKind::kEnvironment, "vllm", "Serves language models", "serving",
             R"({"image":"vllm/vllm-openai:v0.6.4"})"},
    AssetRow{AssetKind::kCompute, "cpu-only", "4 cores, no GPU", "",
             R"({"cpuCoreRequest":4,"cpuMemoryRequest":"16G"})"},
    AssetRow{AssetKind::kCompute, "quarter-gpu", "For notebooks", "",
             R"({"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":0.25,
"cpuCoreRequest":2,"cpuMemoryRequest":"16G"})"},
    AssetRow{AssetKind::kCompute, "one-gpu", "A whole GPU", "",
             R"({"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":1,
"cpuCoreRequest":8,"cpuMemoryRequest":"64G"})"},
    AssetRow{AssetKind::kCompute, "eight-gpus", "A whole DGX", "",
             R"({"gpuDevicesRequest":8,"gpuRequestType":"portion","gpuPortionRequest":1,
"cpuCoreRequest":64,"cpuMemoryRequest":"512G"})"},
    AssetRow{AssetKind::kNfs, "datasets", "Shared, read only", "",
             R"({"server":"nas.lab.example","path":"/export/datasets","mountPath":"/data",
"readOnly":true})"},
    AssetRow{AssetKind::kHostPath, "scratch", "Fast and local, not backed up", "",
             R"({"path":"/scratch","mountPath":"/scratch"})"},
    AssetRow{AssetKind::kGit, "vision-code", "The group's repository", "vision",
             R"({"repository":"https://git.lab.example/vision/train.git","path":"/code"})"},
};

Ptr<NodePool> PoolNamed(const control::State& state, std::string_view name) {
  Ptr<NodePool> found;
  state.Of<NodePool>().Each([&](const NodePool& pool) {
    if (pool.name == name) found = state.Find<NodePool>(pool.id);
  });
  return found;
}

template <class T>
Ptr<T> UnitNamed(const control::State& state, std::string_view name) {
  Ptr<T> found;
  state.Of<T>().Each([&](const T& unit) {
    if (unit.name == name) found = state.Find<T>(unit.id);
  });
  YARD_CHECK(found != nullptr);
  return found;
}

PoolQuota QuotaOf(NodePoolId pool, std::int64_t gpus, std::optional<std::int64_t> most) {
  PoolQuota quota{.pool = pool};
  quota.gpu.deserved = MilliGpu(gpus * 1000);
  if (most) quota.gpu.limit = MilliGpu(*most * 1000);
  return quota;
}

Status MakeUnit(Txn& txn, const Unit& unit, std::int64_t scale) {
  const control::State& state = txn.state();
  control::OrgUnitDraft draft{.name = std::string(unit.name),
                              .cluster = control::LocalCluster(state)->id,
                              .description = std::string(unit.description)};
  constexpr std::array<std::string_view, 3> kOrder = {"default", "a100", "h100"};
  std::optional<std::int64_t> most;
  if (unit.most >= 0) most = unit.most * scale;
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    draft.resources.push_back(QuotaOf(PoolNamed(state, kOrder[i])->id, unit.gpus[i] * scale, most));
  }
  if (unit.department.empty()) {
    YARD_TRY(control::CreateDepartment(txn, draft));
    return {};
  }
  draft.department = UnitNamed<Department>(state, unit.department)->id;
  YARD_TRY(control::CreateProject(txn, draft));
  return {};
}

Scope ScopeOf(const control::State& state, const Person& person) {
  if (!person.department.empty())
    return Scope::Of(UnitNamed<Department>(state, person.department)->id);
  if (!person.project.empty()) return Scope::Of(UnitNamed<Project>(state, person.project)->id);
  return Scope::Tenant();
}

Status MakePerson(Txn& txn, const Person& person, const std::string& password_hash) {
  YARD_TRY(control::CreateUser(txn, {.email = std::string(person.email),
                                     .password_hash = password_hash,
                                     .must_change_password = false}));
  YARD_TRY(control::CreateAccessRule(txn, {.subject = std::string(person.email),
                                           .role = UnitNamed<Role>(txn.state(), person.role)->id,
                                           .scope = ScopeOf(txn.state(), person)}));
  return {};
}

Status MakeAsset(Txn& txn, const AssetRow& row) {
  control::AssetDraft draft{.kind = row.kind,
                            .name = std::string(row.name),
                            .description = std::string(row.description),
                            .spec = Document{std::string(row.spec)}};
  if (!row.project.empty())
    draft.scope = Scope::Of(UnitNamed<Project>(txn.state(), row.project)->id);
  YARD_TRY(control::CreateAsset(txn, draft));
  return {};
}

std::string AssetNamed(const control::State& state, AssetKind kind, std::string_view name) {
  std::string id;
  state.Of<Asset>().Each([&](const Asset& asset) {
    if (asset.kind == kind && asset.name == name) id = FormatUuid(asset.id.value);
  });
  YARD_CHECK(!id.empty());
  return id;
}

Status MakeTemplates(Txn& txn) {
  const control::State& state = txn.state();
  auto made_of = [&](std::string_view environment, std::string_view compute) {
    return fmt::format(R"({{"assets":{{"environment":"{}","compute":"{}"}}}})",
                       AssetNamed(state, AssetKind::kEnvironment, environment),
                       AssetNamed(state, AssetKind::kCompute, compute));
  };
  const std::string notebook = made_of("jupyter", "quarter-gpu");
  const std::string training = made_of("pytorch", "one-gpu");
  YARD_TRY(
      MakeAsset(txn, {AssetKind::kTemplate, "notebook", "JupyterLab on a quarter", "", notebook}));
  return MakeAsset(txn, {AssetKind::kTemplate, "train", "PyTorch on one GPU", "", training});
}

void Say(Txn& txn, std::string_view key, std::string_view text) {
  Setting setting{.id = std::string(key), .stamp = txn.NewStamp()};
  setting.value.json = fmt::format(R"({{"value":"{}"}})", text);
  txn.Put(std::move(setting));
}

Status MakePools(Txn& txn) {
  for (std::string_view name : kPools) {
    YARD_TRY(control::CreateNodePool(txn, {.name = std::string(name),
                                           .cluster = control::LocalCluster(txn.state())->id,
                                           .label_key = std::string(kPoolLabel),
                                           .label_value = std::string(name)}));
  }
  return {};
}

}  // namespace

std::span<const Person> People() {
  return kPeople;
}

control::Principal Administrator() {
  return {.id = std::string(control::kFirstAdministrator)};
}

control::Principal PrincipalOf(const control::State& state, std::string_view email) {
  Ptr<User> user = state.UserByEmail(email);
  YARD_CHECK(user != nullptr);
  return {.id = user->email, .groups = user->groups, .user = user->id};
}

Status MakeLab(control::Service& service, const std::string& password_hash, std::int64_t scale) {
  return service.WriteAndWait(Administrator(), [&](Txn& txn) -> Status {
    YARD_TRY(MakePools(txn));
    for (const Unit& unit : kUnits) YARD_TRY(MakeUnit(txn, unit, scale));
    for (const Person& person : kPeople) YARD_TRY(MakePerson(txn, person, password_hash));
    for (const AssetRow& row : kAssets) YARD_TRY(MakeAsset(txn, row));
    YARD_TRY(MakeTemplates(txn));
    Say(txn, "message-of-the-day", kMessage);
    Say(txn, "sign-in-note", kSignInNote);
    return {};
  });
}

Status ReserveGpus(control::Service& service, Time now) {
  return service.WriteAndWait(Administrator(), [&](Txn& txn) -> Status {
    YARD_TRY(
        control::CreateReservation(txn, {.name = "icml-deadline",
                                         .project = UnitNamed<Project>(txn.state(), "language")->id,
                                         .gpu = MilliGpu(4000),
                                         .pool = "h100",
                                         .start = now + Days(1),
                                         .end = now + Days(3),
                                         .release_after_seconds = 7200}));
    return {};
  });
}

}  // namespace yard::demo
