#include "control/data/output_saver.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "control/state/retention.h"
#include "control/testing/memory_service.h"
#include "control/testing/temporary_data_sets.h"
#include "model/spec/spec.h"
#include "store/datasets.h"

namespace yard::control {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A stream that has all its bytes already.
class Canned final : public engine::Session {
 public:
  Canned(const std::string& bytes, const std::string& words)
      : output_(Holding(bytes)), error_(Holding(words)), ended_(::eventfd(1, EFD_CLOEXEC)) {}
  int input() const override { return -1; }
  void CloseInput() override {}
  int output() const override { return output_.get(); }
  int error() const override { return error_.get(); }
  Status Resize(std::uint16_t, std::uint16_t) override { return {}; }
  Result<std::int32_t> Wait() override { return 0; }
  int ended() const override { return ended_.get(); }

 private:
  static UniqueFd Holding(const std::string& bytes) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    const UniqueFd writer(ends[1]);
    EXPECT_EQ(::write(writer.get(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    return UniqueFd(ends[0]);
  }
  const UniqueFd output_, error_, ended_;
};

// One file `f` of three bytes.
std::string ArchiveOf(std::string_view content) {
  std::string block(512, '\0');
  block.replace(0, 1, "f");
  block.replace(100, 7, "0000644");
  block.replace(124, 11, "00000000003");
  block.replace(148, 8, "        ");
  block[156] = '0';
  std::uint64_t sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  block.replace(148, 6, fmt::format("{:06o}", sum));
  std::string body(content);
  body.resize(512, '\0');
  return block + body + std::string(1024, '\0');
}

class OutputSaverTest : public ::testing::Test {
 protected:
  OutputSaverTest() {
    workload_.id = WorkloadId{Uuid{{1}}};
    workload_.project = ProjectId{7};
    workload_.name = "train";
    workload_.stamp.created_by = "ann@lab.org";
    WorkloadSpec spec;
    StorageSpec storage;
    storage.outputs = {{.name = "model", .tag = {}, .path = {}}};
    spec.storage = Shared(std::move(storage));
    workload_.spec = Shared(std::move(spec));
  }
  void Start() {
    saver_ = std::make_unique<OutputSaver>(
        *service_, *sets_,
        OutputSaverOptions{.read = [this](const TaskChoice&, const std::string&)
                               -> Result<std::unique_ptr<engine::Session>> {
                             if (refusals_.load() > 0 && refusals_-- > 0)
                               return Fail(Code::kUnavailable, "out of contact");
                             if (refusal_) return Fail(*refusal_);
                             return std::make_unique<Canned>(archive_, words_);
                           },
                           .first_pause = Micros(1000)});
  }
  // The attempt of that number, which has ended so.
  void End(std::int32_t number, EndCause cause) {
    ASSERT_TRUE(service_->WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
      Workload workload = workload_;
      if (auto known = txn.state().Find<Workload>(workload_.id)) workload = *known;
      workload.attempts = number;
      Attempt attempt;
      attempt.id = AttemptId{Uuid{{2, static_cast<std::uint8_t>(number)}}};
      attempt.workload = workload.id;
      attempt.number = number;
      attempt.end = AttemptEnd{.cause = cause, .message = {}, .at = txn.now()};
      workload.attempt = attempt.id;
      txn.Put(std::move(workload));
      txn.Put(std::move(attempt));
      return {};
    }));
  }
  // Waits until so many attempts are settled, by commits.
  Workload Settled(std::int32_t attempts) {
    std::mutex mutex;
    std::condition_variable changed;
    auto subscription = service_->Watch([&](const Notice&) {
      const std::lock_guard hold(mutex);
      changed.notify_all();
    });
    std::unique_lock lock(mutex);
    auto now = [&] { return service_->Read()->Find<Workload>(workload_.id); };
    changed.wait(lock, [&] { return now()->saved_attempts >= attempts; });
    return *now();
  }

  SeededRandom random_{3};
  std::unique_ptr<Service> service_ = StartInMemory(SystemClock(), random_);
  TemporaryDataSets temporary_{SystemClock()};
  DataSets* const sets_ = temporary_.get();
  Workload workload_;
  std::atomic<int> refusals_ = 0;
  std::optional<Error> refusal_;
  std::string archive_ = ArchiveOf("one");
  std::string words_;
  std::unique_ptr<OutputSaver> saver_;
};

TEST_F(OutputSaverTest, AnAttemptsOutputsBecomeAVersionAlsoAfterFailure) {
  Start();
  End(1, EndCause::kExit);
  const Workload workload = Settled(1);
  ASSERT_THAT(workload.saved, SizeIs(1));
  EXPECT_EQ(workload.saved[0].files, 1);
  EXPECT_THAT(workload.saved[0].problem, IsEmpty());
  const store::DataVersion version = *sets_->Find(workload.project, "model", "latest");
  EXPECT_EQ(data::Hex(version.id), workload.saved[0].version);
  EXPECT_EQ(version.origin, FormatUuid(workload_.id.value) + "/1");
  EXPECT_EQ(version.created_by, "ann@lab.org");
}

TEST_F(OutputSaverTest, WhatEndedWhileNoServerRanIsSavedOnce) {
  End(1, EndCause::kPreempted);
  Start();
  Settled(1);
  saver_.reset();
  Start();
  archive_ = ArchiveOf("two");
  End(2, EndCause::kCompleted);
  EXPECT_THAT(Settled(2).saved, SizeIs(2));
  EXPECT_THAT(sets_->List(workload_.project).at(0).versions, SizeIs(2));
}

TEST_F(OutputSaverTest, ATagThatMovedSinceAKilledSaveStays) {
  Start();
  End(1, EndCause::kCompleted);
  Settled(1);
  saver_.reset();
  const store::DataVersion first = *sets_->Find(workload_.project, "model", "latest");
  // Somebody pushes; and the record of the save is lost with the server.
  ASSERT_TRUE(sets_->Commit(
      workload_.project,
      {.name = "model", .tag = "mine", .manifest = first.manifest, .created_by = "bob@lab.org"}));
  ASSERT_TRUE(sets_->Remove(workload_.project, {.name = "model", .which = "latest", .in_use = {}}));
  ASSERT_TRUE(service_->WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
    Workload workload = *txn.state().Find<Workload>(workload_.id);
    workload.saved_attempts = 0;
    workload.saved.clear();
    txn.Put(std::move(workload));
    return {};
  }));
  Start();
  EXPECT_EQ(Settled(1).saved.at(0).version, data::Hex(first.id));
  EXPECT_FALSE(sets_->Find(workload_.project, "model", "latest")) << "the tag was moved again";
  EXPECT_THAT(sets_->List(workload_.project).at(0).versions, SizeIs(1));
}

TEST_F(OutputSaverTest, AnEngineOutOfContactIsAskedAgain) {
  refusals_ = 3;
  Start();
  End(1, EndCause::kCompleted);
  EXPECT_THAT(Settled(1).saved.at(0).problem, IsEmpty());
}

TEST_F(OutputSaverTest, WhatCannotBeSavedSaysWhy) {
  refusal_ = Error{Code::kPrecondition, "not in its \x1b output folder", ""};
  Start();
  End(1, EndCause::kCompleted);
  const SavedOutput saved = Settled(1).saved.at(0);
  EXPECT_THAT(saved.version, IsEmpty());
  EXPECT_THAT(saved.problem, HasSubstr("not in its \\x1b output folder"));
}

TEST_F(OutputSaverTest, AnEmptyFolderMovesNoTag) {
  archive_ = std::string(1024, '\0');
  Start();
  End(1, EndCause::kExit);
  EXPECT_THAT(Settled(1).saved.at(0).problem, HasSubstr("no files"));
  EXPECT_THAT(sets_->List(workload_.project), IsEmpty());
}

TEST_F(OutputSaverTest, WhatCouldNotBeReadIsNamedBesideTheVersion) {
  words_ = "gpuyard: cannot read ./closed: Permission denied\n";
  Start();
  End(1, EndCause::kCompleted);
  const SavedOutput saved = Settled(1).saved.at(0);
  EXPECT_FALSE(saved.version.empty());
  EXPECT_THAT(saved.problem, HasSubstr("./closed"));
}

TEST_F(OutputSaverTest, WorkThatNeverRanHasNoOutputs) {
  Start();
  End(1, EndCause::kLaunchFailed);
  EXPECT_THAT(Settled(1).saved, IsEmpty());
}

TEST_F(OutputSaverTest, WorkWaitsForItsOutputsBeforeItIsArchivedOrExpires) {
  workload_.life = Life::kCompleted;
  workload_.completed_at = Time{1'000'000};
  End(1, EndCause::kCompleted);
  const Time late = service_->Now() + Days(400);
  EXPECT_EQ(service_->Read()->settled(), 0U);
  EXPECT_THAT(FindExpired(*service_->Read(), late, {}).finished, IsEmpty());
  Start();
  Settled(1);
  EXPECT_EQ(service_->Read()->settled(), 1U);
  EXPECT_THAT(FindExpired(*service_->Read(), late, {}).finished, SizeIs(1));
}

}  // namespace
}  // namespace yard::control
