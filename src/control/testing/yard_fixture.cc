#include "control/testing/yard_fixture.h"

#include "base/check.h"
#include "control/commands/bootstrap.h"
#include "control/commands/infra.h"
#include "control/commands/org.h"
#include "control/commands/workloads.h"
#include "engine/testing/far_engine.h"
#include "wire/workload.h"

namespace yard::control {
namespace {

constexpr Time kStart{1'780'000'000'000'000};  // May 2026

// The same memory for one service after the other.
class LentStore final : public store::Store {
 public:
  explicit LentStore(std::shared_ptr<store::MemoryStore> store) : store_(std::move(store)) {}
  Status Load(const std::function<Status(Object)>& take) override { return store_->Load(take); }
  Result<std::int64_t> Commit(std::span<const store::Entry> entries) override {
    return store_->Commit(entries);
  }
  Result<JournalPage> ReadJournal(const JournalQuery& query) override {
    return store_->ReadJournal(query);
  }
  Result<std::vector<WorkloadEvent>> ReadEvents(WorkloadId workload, std::size_t offset,
                                                std::size_t limit) override {
    return store_->ReadEvents(workload, offset, limit);
  }
  Result<store::Pruned> Prune(Time before) override { return store_->Prune(before); }
  Status Backup(const std::string& path) override { return store_->Backup(path); }
  std::int64_t last_sequence() const override { return store_->last_sequence(); }
  bool archives() const override { return true; }
  Status MoveToArchive(std::span<const store::ArchiveItem> items) override {
    return store_->MoveToArchive(items);
  }
  Result<std::vector<ArchivedWorkload>> ReadArchived(std::span<const WorkloadId> ids) override {
    return store_->ReadArchived(ids);
  }
  Result<std::optional<WorkloadId>> FindArchived(ProjectId project,
                                                 std::string_view name) override {
    return store_->FindArchived(project, name);
  }
  Result<ArchivePage> ReadArchive(const ArchiveQuery& query) override {
    return store_->ReadArchive(query);
  }
  Status EachArchived(const ArchiveFilter& filter,
                      const std::function<Status(const ArchivedWorkload&)>& visit) override {
    return store_->EachArchived(filter, visit);
  }
  Result<std::vector<ArchiveCount>> CountArchive() override { return store_->CountArchive(); }
  Result<bool> HasAttempt(AttemptId id) override { return store_->HasAttempt(id); }

 private:
  std::shared_ptr<store::MemoryStore> store_;
};

}  // namespace

YardFixture::YardFixture(const Options& options) : launch_(options.launch), clock_(kStart) {
  for (int i = 0; i < options.nodes; ++i) {
    engine_.AddNode("node" + std::to_string(i), options.gpus, options.cpu);
  }
  if (options.far) far_ = engine::testing::MakeFarEngine(engine_, *options.far);
  StartService();
  YARD_CHECK(Bootstrap(*service_, {.admin_email = "admin@lab.org"}).has_value());
  Status made = Do([&](Txn& txn) -> Status {
    OrgUnitDraft draft{.name = "vision", .cluster = LocalCluster(txn.state())->id};
    YARD_ASSIGN(Ptr<Project> project, CreateProject(txn, draft));
    project_ = project->id;
    return {};
  });
  YARD_CHECK(made.has_value());
  StartDriver();
}

YardFixture::~YardFixture() {
  driver_.reset();
  service_.reset();
}

void YardFixture::StartService() {
  auto service = Service::Start(std::make_unique<LentStore>(store_), clock_, random_);
  YARD_CHECK(service.has_value());
  service_ = *std::move(service);
}

void YardFixture::StartDriver() {
  engine::Engine& engine = far_ ? *far_ : engine_;
  auto driver = Driver::Start(*service_, engine, {.launch = launch_, .hands = 2});
  YARD_CHECK(driver.has_value());
  driver_ = *std::move(driver);
  Settle();
}

void YardFixture::StopDriver() {
  driver_.reset();
}

void YardFixture::Restart() {
  driver_.reset();
  service_.reset();
  StartService();
  StartDriver();
}

void YardFixture::Advance(Micros by) {
  clock_.Advance(by);
  driver_->Wake();
  Settle();
}

Status YardFixture::Do(Command command) {
  Status status = service_->WriteAndWait(SystemPrincipal(), std::move(command));
  if (driver_) Settle();
  return status;
}

Workload YardFixture::Draft(std::string name, const std::string& spec, WorkloadType type) const {
  Workload workload;
  workload.type = type;
  workload.name = std::move(name);
  workload.project = project_;
  workload.cluster = LocalCluster(*state())->id;
  Status read = wire::TakeSpecText(workload, spec);
  if (!read) CheckFailed(read.error().message.c_str(), __FILE__, __LINE__);
  return workload;
}

Status YardFixture::TrySubmit(Workload workload, WorkloadId* id) {
  return Do([&](Txn& txn) -> Status {
    YARD_ASSIGN(Ptr<Workload> made, CreateWorkload(txn, {.workload = std::move(workload)}));
    *id = made->id;
    return {};
  });
}

WorkloadId YardFixture::Submit(std::string name, const std::string& spec, WorkloadType type) {
  WorkloadId id;
  Status status = TrySubmit(Draft(std::move(name), spec, type), &id);
  if (!status) CheckFailed(status.error().message.c_str(), __FILE__, __LINE__);
  return id;
}

std::string YardFixture::ReasonOf(WorkloadId id) const {
  const SharedBoard waiting = driver_->Waiting();
  const WaitNote* note = waiting->Find(*Find(id));
  return note != nullptr ? note->reason : Find(id)->phase_reason;
}

std::string YardFixture::MessageOf(WorkloadId id) const {
  const SharedBoard waiting = driver_->Waiting();
  const WaitNote* note = waiting->Find(*Find(id));
  return note != nullptr ? TextOf(*note) : Find(id)->phase_message;
}

Ptr<Attempt> YardFixture::AttemptOf(WorkloadId id) const {
  Snapshot now = state();
  Ptr<Workload> workload = now->Find<Workload>(id);
  return workload->attempt ? now->Find<Attempt>(*workload->attempt) : nullptr;
}

engine::TaskKey YardFixture::KeyOf(WorkloadId id, std::int32_t rank) const {
  Ptr<Attempt> attempt = AttemptOf(id);
  YARD_CHECK(attempt != nullptr);
  return {attempt->id, rank};
}

void YardFixture::Run(WorkloadId id) {
  Ptr<Attempt> attempt = AttemptOf(id);
  for (std::size_t rank = 0; rank < attempt->places.size(); ++rank) {
    engine_.Run(KeyOf(id, static_cast<std::int32_t>(rank)));
  }
  Settle();
}

void YardFixture::End(WorkloadId id, EndCause cause, std::optional<std::int32_t> code) {
  Ptr<Attempt> attempt = AttemptOf(id);
  for (std::size_t rank = 0; rank < attempt->places.size(); ++rank) {
    engine_.End(KeyOf(id, static_cast<std::int32_t>(rank)), cause, code);
  }
  Settle();
}

}  // namespace yard::control
