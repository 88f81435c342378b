// Ended work in the archive of the embedded store.
#include <algorithm>

#include <gtest/gtest.h>

#include "base/uuid.h"
#include "store/sqlite/store_fixture.h"

namespace yard::store {
namespace {

AttemptId AttemptOf(std::uint32_t number) {
  Uuid uuid = MakeWorkloadId(number).value;
  uuid.bytes[15] = 1;
  return AttemptId(uuid);
}

class ArchiveTest : public testing::Test {
 protected:
  // A workload that was made, changed and ended, with one attempt and two events.
  ArchivedWorkload Ended(std::uint32_t number, const std::string& name, Life life) {
    Workload made = MakeWorkload(number, name);
    made.project = ProjectId(number % 2);
    made.stamp.created_by = number % 3 == 0 ? "ada@lab.org" : "bob@lab.org";
    made.stamp.created_at = Time{number * 1'000'000};
    Attempt attempt{.id = AttemptOf(number), .workload = made.id, .placed_at = Time{1}};
    Entry creation = Creation(made);
    creation.changes.push_back({.after = Share(attempt)});
    creation.events.push_back(MakeEvent(number, "created"));
    Workload ended = made;
    ended.life = life;
    ended.attempt = attempt.id;
    ended.completed_at = Time{number * 1'000'000 + 5};
    Attempt over = attempt;
    over.end.emplace().at = Time{9};
    Entry end = Update(made, ended);
    end.changes.push_back({.before = Share(attempt), .after = Share(over)});
    end.events.push_back(MakeEvent(number, "ended"));
    EXPECT_TRUE(store_->Commit(std::vector{creation, end}));
    return {std::make_shared<const Workload>(ended), {std::make_shared<const Attempt>(over)}};
  }

  void Archive(const ArchivedWorkload& past, std::optional<Time> expires = std::nullopt) {
    Status moved = store_->MoveToArchive(std::vector{ArchiveItem{past, expires}});
    ASSERT_TRUE(moved) << moved.error().message;
  }

  void Reopen() {
    store_.reset();
    store_ = MustOpen(directory_.path());
  }

  std::string Names(ArchiveQuery query) {
    auto page = store_->ReadArchive(query);
    EXPECT_TRUE(page) << (page ? "" : page.error().message);
    std::vector<WorkloadId> ids;
    for (const ArchiveKey& key : page->keys) ids.push_back(key.id);
    auto found = store_->ReadArchived(ids);
    EXPECT_TRUE(found);
    std::string names;
    for (const ArchivedWorkload& past : *found) names += past.workload->name + " ";
    return names + "of " + std::to_string(page->total);
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Store> store_ = MustOpen(directory_.path());
};

ArchiveTerm Term(ArchiveField field, ArchiveCompare compare, ArchiveValue value) {
  return {.field = field, .compare = compare, .values = {std::move(value)}};
}

TEST_F(ArchiveTest, TheBytesOfEachProjectAreKeptWithEveryMove) {
  EXPECT_TRUE(store_->SizeArchive()->empty());
  Archive(Ended(1, "one", Life::kCompleted));
  const std::int64_t first = store_->SizeArchive()->at(ProjectId(1));
  EXPECT_GT(first, 100);
  ArchivedWorkload third = Ended(3, "three", Life::kCompleted);
  Archive(third);
  Archive(Ended(2, "two", Life::kCompleted));
  EXPECT_GT(store_->SizeArchive()->at(ProjectId(1)), first);
  EXPECT_EQ(store_->SizeArchive()->size(), 2U);
  Entry entry{.at = Time{7}};
  entry.recalled = {third.workload->id};
  ASSERT_TRUE(store_->Commit(std::vector{entry}));
  EXPECT_EQ(store_->SizeArchive()->at(ProjectId(1)), first);
}

TEST_F(ArchiveTest, WorkWithATimeOfItsOwnIsLeftToIt) {
  Archive(Ended(1, "own", Life::kCompleted), Time{50});
  Archive(Ended(3, "usual", Life::kCompleted));
  ArchiveQuery query;
  query.filter.without_time = true;
  EXPECT_EQ(Names(query), "usual of 1");
}

TEST_F(ArchiveTest, ArchivedWorkIsNotLoadedAndIsFoundByIdAndName) {
  Archive(Ended(1, "train", Life::kCompleted));
  Reopen();
  EXPECT_TRUE(LoadAll(*store_).empty());
  auto found = store_->ReadArchived(std::vector{MakeWorkloadId(1), MakeWorkloadId(2)});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().workload->name, "train");
  ASSERT_EQ(found->front().attempts.size(), 1U);
  EXPECT_EQ(found->front().attempts[0]->end->at, Time{9});
  EXPECT_EQ(store_->FindArchived(ProjectId(1), "train").value(), MakeWorkloadId(1));
  EXPECT_EQ(store_->FindArchived(ProjectId(0), "train").value(), std::nullopt);
  EXPECT_TRUE(store_->HasAttempt(AttemptOf(1)).value());
  EXPECT_FALSE(store_->HasAttempt(AttemptOf(2)).value());
}

TEST_F(ArchiveTest, KeepsTheEventsAndTheVersionsThatTheJournalShows) {
  JournalQuery query{.entity_type = "workload", .newest_first = false};
  ArchivedWorkload past = Ended(1, "train", Life::kCompleted);
  JournalPage before = store_->ReadJournal(query).value();
  ASSERT_EQ(before.records.size(), 2U);
  Archive(past);
  JournalPage after = store_->ReadJournal(query).value();
  ASSERT_EQ(after.records.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(after.records[i].before, before.records[i].before);
    EXPECT_EQ(after.records[i].after, before.records[i].after);
  }
  auto events = store_->ReadEvents(MakeWorkloadId(1), 0, 1);
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 1U);
  EXPECT_EQ(events->front().message, "ended");
}

TEST_F(ArchiveTest, RecalledWorkIsLiveAgainWithAllThatBelongsToIt) {
  ArchivedWorkload past = Ended(1, "train", Life::kFailed);
  Archive(past);
  Workload deleted = *past.workload;
  deleted.deleted_at = Time{50};
  Entry entry = Update(*past.workload, deleted);
  entry.recalled.push_back(deleted.id);
  auto committed = store_->Commit(std::vector{entry});
  ASSERT_TRUE(committed) << committed.error().message;
  EXPECT_EQ(LoadAll(*store_).size(), 2U);
  EXPECT_TRUE(store_->ReadArchived(std::vector{deleted.id})->empty());
  EXPECT_TRUE(store_->CountArchive()->empty());
  ArchiveQuery named;
  named.filter.all_of = {Term(ArchiveField::kName, ArchiveCompare::kContains, "train")};
  EXPECT_EQ(Names(named), "of 0");
  EXPECT_EQ(store_->ReadEvents(deleted.id, 0, 9)->size(), 2U);
  EXPECT_EQ(store_->ReadJournal({.entity_type = "workload"})->records.size(), 3U);
}

TEST_F(ArchiveTest, RecallingWhatIsNotArchivedChangesNothing) {
  Entry entry = Creation(MakeWorkload(7, "other"));
  entry.recalled.push_back(MakeWorkloadId(1));
  EXPECT_FALSE(store_->Commit(std::vector{entry}));
  EXPECT_TRUE(LoadAll(*store_).empty());
}

TEST_F(ArchiveTest, FiltersSortsAndPages) {
  for (std::uint32_t i = 1; i <= 6; ++i) {
    Archive(Ended(i, std::string(1, static_cast<char>('g' - i)) + "-job",
                  i % 2 == 0 ? Life::kCompleted : Life::kFailed));
  }
  EXPECT_EQ(Names({}), "f-job e-job d-job c-job b-job a-job of 6");
  EXPECT_EQ(Names({.sort_by = ArchiveField::kName, .offset = 1, .limit = 2}), "b-job c-job of 6");
  EXPECT_EQ(Names({.sort_by = ArchiveField::kPhase, .descending = true, .limit = 4}),
            "b-job d-job f-job a-job of 6");
  ArchiveQuery failed{.sort_by = ArchiveField::kCreated, .descending = true};
  failed.filter.all_of = {Term(ArchiveField::kPhase, ArchiveCompare::kEqual, "Failed")};
  EXPECT_EQ(Names(failed), "b-job d-job f-job of 3");
  ArchiveQuery odd;
  odd.filter.projects = {ProjectId(1)};
  odd.filter.all_of = {Term(ArchiveField::kCreated, ArchiveCompare::kAtLeast, 3'000'000)};
  EXPECT_EQ(Names(odd), "d-job b-job of 2");
  ArchiveQuery found;
  found.filter.any_of = {Term(ArchiveField::kName, ArchiveCompare::kContains, "A-J"),
                         Term(ArchiveField::kOwner, ArchiveCompare::kStarts, "ADA")};
  EXPECT_EQ(Names(found), "d-job a-job of 2");
  found.filter.any_of = {Term(ArchiveField::kName, ArchiveCompare::kContains, "zebra"),
                         Term(ArchiveField::kPhase, ArchiveCompare::kContains, "fail")};
  EXPECT_EQ(Names(found), "f-job d-job b-job of 3");
  found.filter.any_of = {Term(ArchiveField::kPhase, ArchiveCompare::kContains, "zebra")};
  EXPECT_EQ(Names(found), "of 0");
  found.filter.any_of = {Term(ArchiveField::kName, ArchiveCompare::kContains, "\"b\" OR -")};
  EXPECT_EQ(Names(found), "of 0");
  ArchiveQuery one;
  one.filter.all_of = {
      {ArchiveField::kId, ArchiveCompare::kOneOf, {FormatUuid(MakeWorkloadId(2).value)}}};
  EXPECT_EQ(Names(one), "e-job of 1");
  EXPECT_EQ(Names({.project_ranks = {{ProjectId(1), 0}, {ProjectId(0), 1}}}),
            "f-job d-job b-job e-job c-job a-job of 6");
}

TEST_F(ArchiveTest, SaysWhatHasExpiredAndWhatHeldSomethingWhen) {
  Archive(Ended(1, "old", Life::kCompleted), Time{100});
  Archive(Ended(2, "new", Life::kCompleted), Time{200});
  ArchiveQuery expired;
  expired.filter.expired_by = Time{150};
  EXPECT_EQ(Names(expired), "old of 1");
  ArchiveQuery held;
  held.filter.held_within = {Time{9}, Time{20}};
  EXPECT_EQ(Names(held), "old new of 2");
  held.filter.held_within = {Time{10}, Time{20}};
  EXPECT_EQ(Names(held), "of 0");
}

TEST_F(ArchiveTest, CountsWhatItHoldsByProjectAndPhase) {
  for (std::uint32_t i = 1; i <= 5; ++i) Archive(Ended(i, "job", Life::kCompleted));
  std::int64_t odd = 0;
  const std::vector<ArchiveCount> counts = store_->CountArchive().value();
  for (const ArchiveCount& count : counts) {
    EXPECT_EQ(count.phase, "Completed");
    if (count.project == ProjectId(1)) odd += count.workloads;
  }
  EXPECT_EQ(odd, 3);
}

TEST_F(ArchiveTest, ATrivialJobTakesLessThanTwoKibibytes) {
  for (std::uint32_t i = 1; i <= 300; ++i) {
    Archive(Ended(i, "job-" + std::to_string(i), Life::kCompleted));
  }
  Reopen();
  ASSERT_TRUE(store_->Backup(directory_.path() + "/copy"));
  EXPECT_LT(std::filesystem::file_size(directory_.path() + "/copy") / 300, 2048U);
}

}  // namespace
}  // namespace yard::store
