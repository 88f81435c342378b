// What the SQLite store adds to the contract: the journal's queries, one owner a directory,
// migrations, backups and retention.
#include "store/sqlite/sqlite_store.h"

#include <unistd.h>

#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/entity_key.h"
#include "store/sqlite/packed_text.h"
#include "store/sqlite/retention.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/store_fixture.h"
#include "wire/stored.h"

namespace yard::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SqliteStoreTest : public testing::Test {
 protected:
  void Must(const std::vector<Entry>& entries) {
    auto done = store_->Commit(entries);
    ASSERT_TRUE(done) << done.error().message;
  }
  JournalPage Read(const JournalQuery& query) {
    auto page = store_->ReadJournal(query);
    EXPECT_TRUE(page) << (page ? "" : page.error().message);
    return page.value_or(JournalPage{});
  }
  std::vector<std::int64_t> Sequences(const JournalQuery& query) {
    std::vector<std::int64_t> sequences;
    for (const JournalRecord& record : Read(query).records) sequences.push_back(record.sequence);
    return sequences;
  }
  void Reopen() {
    store_.reset();
    store_ = MustOpen(directory_.path());
  }
  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }

  TemporaryDirectory directory_;
  std::unique_ptr<Store> store_ = MustOpen(directory_.path());
};

TEST_F(SqliteStoreTest, EverythingIsThereAfterReopening) {
  Must({Creation(MakeWorkload(1, "first"))});
  Reopen();
  EXPECT_EQ(store_->last_sequence(), 1);
  EXPECT_EQ(NameOf(LoadAll(*store_).begin()->second), "first");
}

TEST_F(SqliteStoreTest, EachChangeShowsWhatWasBeforeAndAfter) {
  Workload one = MakeWorkload(1, "one");
  Workload two = MakeWorkload(1, "two");
  Workload three = MakeWorkload(1, "three");
  Must({Creation(one), Update(one, two), Update(two, three), Deletion(three)});
  auto records = Read({.newest_first = false}).records;
  ASSERT_EQ(records.size(), 4u);
  EXPECT_FALSE(records[0].before);
  EXPECT_THAT(*records[0].after, HasSubstr("\"one\""));
  EXPECT_THAT(*records[1].before, HasSubstr("\"one\""));
  EXPECT_THAT(*records[1].after, HasSubstr("\"two\""));
  EXPECT_THAT(*records[2].after, HasSubstr("\"three\""));
  EXPECT_THAT(*records[3].before, HasSubstr("\"three\""));
  EXPECT_FALSE(records[3].after);
}

TEST_F(SqliteStoreTest, TheLastChangeShowsTheLiveObject) {
  Must({Creation(MakeWorkload(1, "alive"))});
  EXPECT_THAT(*Read({}).records.at(0).after, HasSubstr("\"alive\""));
}

TEST_F(SqliteStoreTest, ANoteBetweenTwoChangesHidesNeither) {
  Workload one = MakeWorkload(1, "one");
  Entry refused{.at = Time{1}};
  refused.notes.push_back({.action = "update",
                           .entity_type = "workload",
                           .entity_id = IdOf(Share(one)),
                           .entity_name = "one",
                           .status = 403});
  Must({Creation(one), refused, Update(one, MakeWorkload(1, "two"))});
  auto records = Read({.newest_first = false}).records;
  ASSERT_EQ(records.size(), 3u);
  EXPECT_THAT(*records[0].after, HasSubstr("\"one\""));
  EXPECT_EQ(records[1].status, 403);
  EXPECT_FALSE(records[1].after);
}

TEST_F(SqliteStoreTest, TheJournalNeverShowsSecrets) {
  User user;
  user.password_hash = "$argon2id$secret";
  User changed = user;
  changed.email = "ada@lab.org";
  Must({Creation(user), Update(user, changed)});
  for (const JournalRecord& record : Read({}).records) {
    EXPECT_THAT(record.before.value_or(""), testing::Not(HasSubstr("argon2id")));
    EXPECT_THAT(record.after.value_or(""), testing::Not(HasSubstr("argon2id")));
  }
}

TEST_F(SqliteStoreTest, TheJournalKeepsWhoAskedAndHow) {
  Entry entry = Creation(MakeWorkload(1, "a:b \"c\""), Time{5});
  entry.origin = {"ada@lab.org", "User", "10.0.0.1", "POST", "/api/v1/x?y=1:2", "r1"};
  Must({entry});
  JournalRecord record = Read({}).records.at(0);
  EXPECT_EQ(record.at, Time{5});
  EXPECT_EQ(record.action, "create");
  EXPECT_EQ(record.entity_type, "workload");
  EXPECT_EQ(record.entity_id, IdText(MakeWorkloadId(1)));
  EXPECT_EQ(record.entity_name, "a:b \"c\"");
  EXPECT_EQ(record.origin.subject, "ada@lab.org");
  EXPECT_EQ(record.origin.subject_type, "User");
  EXPECT_EQ(record.origin.address, "10.0.0.1");
  EXPECT_EQ(record.origin.method, "POST");
  EXPECT_EQ(record.origin.url, "/api/v1/x?y=1:2");
  EXPECT_EQ(record.origin.request_id, "r1");
}

class JournalFilters : public SqliteStoreTest {
 protected:
  JournalFilters() {
    Project project;
    project.id = ProjectId{7};
    Entry by_eve = Creation(MakeWorkload(2, "second"), Time{30});
    by_eve.origin.subject = "eve@lab.org";
    Must({Creation(MakeWorkload(1, "first"), Time{10}), Creation(project, Time{20}), by_eve,
          Deletion(MakeWorkload(1, "first"), Time{40})});
  }
};

TEST_F(JournalFilters, ByTimeWithTheStartInAndTheEndOut) {
  EXPECT_THAT(Sequences({.start = Time{20}, .end = Time{40}}), ElementsAre(3, 2));
  EXPECT_EQ(Read({.start = Time{20}, .end = Time{40}, .limit = 1}).total, 2);
}

TEST_F(JournalFilters, ByEntity) {
  EXPECT_THAT(Sequences({.entity_type = "workload"}), ElementsAre(4, 3, 1));
  EXPECT_THAT(Sequences({.entity_id = "7"}), ElementsAre(2));
  EXPECT_THAT(Sequences({.entity_id = IdText(MakeWorkloadId(1))}), ElementsAre(4, 1));
  EXPECT_THAT(Sequences({.entity_type = "project", .entity_id = IdText(MakeWorkloadId(1))}),
              ElementsAre());
}

TEST_F(JournalFilters, BySubjectAndAction) {
  EXPECT_THAT(Sequences({.subject = "eve@lab.org"}), ElementsAre(3));
  EXPECT_THAT(Sequences({.entity_type = "workload", .action = "delete"}), ElementsAre(4));
  EXPECT_EQ(Read({.subject = "nobody"}).total, 0);
}

TEST_F(JournalFilters, InPagesInEitherDirection) {
  EXPECT_THAT(Sequences({.offset = 1, .limit = 2}), ElementsAre(3, 2));
  EXPECT_THAT(Sequences({.newest_first = false, .offset = 3, .limit = 2}), ElementsAre(4));
  EXPECT_THAT(Sequences({.after_sequence = 2, .newest_first = false}), ElementsAre(3, 4));
  EXPECT_EQ(Read({.limit = 1}).total, 4);
}

TEST_F(SqliteStoreTest, ADirectoryHasOneOwnerWhoIsNamed) {
  auto second = OpenSqlite(directory_.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kConflict);
  EXPECT_THAT(second.error().message, HasSubstr(std::to_string(::getpid())));
}

TEST_F(SqliteStoreTest, AFailedEntryTakesTheWholeCommitBackAndTheNextOneWorks) {
  Workload missing = MakeWorkload(9, "missing");
  auto failed = store_->Commit(std::vector{Creation(MakeWorkload(1, "one")), Deletion(missing)});
  ASSERT_FALSE(failed);
  EXPECT_TRUE(LoadAll(*store_).empty());
  EXPECT_EQ(store_->Commit(std::vector{Creation(MakeWorkload(1, "one"))}), 1);
}

TEST_F(SqliteStoreTest, PruningForgetsOldHistoryButNeverAnObjectOrTheLastNumber) {
  Workload one = MakeWorkload(1, "one");
  Workload two = MakeWorkload(1, "two");
  Entry noted = Creation(one, Time{10});
  noted.events.push_back({.workload = one.id, .at = Time{10}, .message = "old"});
  noted.events.push_back({.workload = one.id, .at = Time{30}, .message = "new"});
  Must({noted, Update(one, two, Time{20}), Update(two, one, Time{30})});
  PruneAll(*store_, Time{25});
  EXPECT_THAT(Sequences({}), ElementsAre(3));
  EXPECT_EQ(store_->ReadEvents(one.id, 0, 10)->size(), 1u);
  PruneAll(*store_, Time{1'000});
  Reopen();
  EXPECT_EQ(LoadAll(*store_).size(), 1u);
  EXPECT_EQ(store_->last_sequence(), 3);
}

TEST_F(SqliteStoreTest, PruningTakesABoundedNumberOfRowsAtATimeAndGoesOnUntilAllAreGone) {
  Entry entry{.at = Time{10}};
  entry.notes.resize(2 * kPruneRows + 5);
  Must({entry, Creation(MakeWorkload(1, "new"), Time{20})});
  EXPECT_EQ(store_->Prune(Time{15}), Pruned::kMore);
  EXPECT_EQ(Read({}).total, kPruneRows + 6);
  PruneAll(*store_, Time{15});
  EXPECT_EQ(Read({}).total, 1);
}

TEST_F(SqliteStoreTest, PeopleReadTheJournalWithoutTheServersBookkeeping) {
  Entry entry = Creation(MakeWorkload(1, "one"), Time{10});
  entry.changes.push_back({std::nullopt, std::make_shared<const Counter>(Counter{.id = "n"})});
  entry.changes.push_back(
      {std::nullopt, std::make_shared<const IdempotentReply>(IdempotentReply{.id = "ann/1"})});
  Must({entry, Creation(MakeWorkload(2, "two"), Time{20})});
  EXPECT_THAT(Sequences({.for_people = true}), ElementsAre(4, 1));
  EXPECT_THAT(Sequences({.start = Time{15}, .for_people = true}), ElementsAre(4));
  EXPECT_EQ(Read({.for_people = true, .limit = 1}).total, 2);
  EXPECT_EQ(Read({.after_sequence = 1, .limit = 1}).total, 3);
}

TEST_F(SqliteStoreTest, AChangeIsRecordedWithTheStatusItWasAnswered) {
  Entry entry = Creation(MakeWorkload(1, "one"));
  entry.origin.status = 202;
  Must({entry});
  EXPECT_EQ(Read({}).records.at(0).status, 202);
}

TEST_F(SqliteStoreTest, ABackupMadeWhileWritingRestoresToOneConsistentMoment) {
  Must({Creation(MakeWorkload(1, "first"))});
  Status backup;
  std::thread other([&] { backup = store_->Backup(Path("copy.backup")); });
  for (std::uint32_t i = 2; i < 200; ++i) Must({Creation(MakeWorkload(i, "more"))});
  other.join();
  ASSERT_TRUE(backup) << backup.error().message;
  ASSERT_TRUE(RestoreSqlite(Path("copy.backup"), Path("restored")));
  auto restored = MustOpen(Path("restored"));
  EXPECT_GE(restored->last_sequence(), 1);
  EXPECT_EQ(static_cast<std::int64_t>(LoadAll(*restored).size()), restored->last_sequence());
  EXPECT_FALSE(std::filesystem::exists(Path("copy.backup-wal")));
}

TEST_F(SqliteStoreTest, ABackupNeverOverwritesAFile) {
  std::ofstream(Path("taken")) << "precious";
  EXPECT_EQ(store_->Backup(Path("taken")).error().code, Code::kConflict);
  EXPECT_EQ(std::filesystem::file_size(Path("taken")), 8u);
}

TEST_F(SqliteStoreTest, ABackupWhoseFolderIsMissingSaysSo) {
  Status status = store_->Backup(Path("no/such/folder/copy"));
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("No such file or directory"));
}

TEST_F(SqliteStoreTest, RestoringRefusesADirectoryInUseOrFilled) {
  ASSERT_TRUE(store_->Backup(Path("copy")));
  EXPECT_EQ(RestoreSqlite(Path("copy"), directory_.path()).error().code, Code::kConflict);
  store_.reset();
  EXPECT_EQ(RestoreSqlite(Path("copy"), directory_.path()).error().code, Code::kConflict);
}

TEST_F(SqliteStoreTest, RestoringRefusesWhatIsNotAWholeBackupAndLeavesNothingBehind) {
  for (std::uint32_t i = 0; i < 100; ++i) Must({Creation(MakeWorkload(i, "some"))});
  ASSERT_TRUE(store_->Backup(Path("cut")));
  std::filesystem::resize_file(Path("cut"), std::filesystem::file_size(Path("cut")) / 2);
  std::ofstream(Path("text")) << std::string(10'000, 'x');
  std::ofstream(Path("empty")) << "";
  for (const char* name : {"cut", "text", "empty"}) {
    Status status = RestoreSqlite(Path(name), Path("new"));
    ASSERT_FALSE(status) << name;
    EXPECT_EQ(status.error().code, Code::kInvalid) << status.error().message;
    EXPECT_THAT(status.error().message, HasSubstr(name));
  }
  EXPECT_FALSE(std::filesystem::exists(Path("new/gpuyard.db")));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(Path("new")), {}), 1);  // the lock
}

// The tables as version 1 had them, without the journal's indexes; frozen, not to be edited.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE object(
  kind TEXT NOT NULL, id NOT NULL, body TEXT NOT NULL, PRIMARY KEY(kind, id));
CREATE TABLE journal(
  sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, verb INTEGER NOT NULL,
  status INTEGER NOT NULL, action TEXT NOT NULL, entity_type TEXT NOT NULL, entity_id NOT NULL,
  subject TEXT NOT NULL, detail TEXT NOT NULL);
CREATE TABLE undo(sequence INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE event(
  sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, workload BLOB NOT NULL, id BLOB NOT NULL,
  type TEXT NOT NULL, reason TEXT NOT NULL, message TEXT NOT NULL, source TEXT NOT NULL);
CREATE INDEX event_workload ON event(workload);
INSERT INTO object VALUES('project', '7', '{"id":7,"name":"vision"}');
INSERT INTO journal VALUES(1, 10, 1, 200, 'create', 'project', '7', 'ada@lab.org', '6:vision');
PRAGMA application_id=0x59617264;
PRAGMA user_version=1;
)sql";

void WriteDatabase(const std::string& directory, const std::string& sql) {
  std::filesystem::create_directories(directory);
  auto database = Database::Open(directory + "/gpuyard.db", OpenMode::kCreate);
  ASSERT_TRUE(database);
  Status status = database->Execute(sql);
  ASSERT_TRUE(status) << status.error().message;
}

TEST(Migration, ADatabaseOfVersion1IsBroughtUpToDate) {
  TemporaryDirectory directory;
  WriteDatabase(directory.path(), kVersion1);
  auto store = MustOpen(directory.path());
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(NameOf(LoadAll(*store).at("7")), "vision");
  auto page = store->ReadJournal({.entity_id = "7"});
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(page->records.at(0).entity_name, "vision");
  EXPECT_EQ(store->Commit(std::vector{Creation(MakeWorkload(1, "new"))}), 2);
  store.reset();
  auto database = Database::Open(directory.path() + "/gpuyard.db", OpenMode::kExisting);
  EXPECT_EQ(database->QueryInt("PRAGMA user_version"), SchemaVersion());
}

// SQLite makes one where an index's condition is a list of names, at twice the cost of the row.
TEST(Journal, ARowIsWrittenWithoutATableOfItsOwn) {
  TemporaryDirectory directory;
  MustOpen(directory.path()).reset();
  auto database = Database::Open(directory.path() + "/gpuyard.db", OpenMode::kExisting);
  ASSERT_TRUE(database);
  auto steps = database->Prepare("EXPLAIN INSERT INTO journal VALUES(?,?,?,?,?,?,?,?,?)");
  ASSERT_TRUE(steps);
  int indexes = 0;
  while (steps->Step().value()) {
    EXPECT_NE(steps->Text(1), "OpenEphemeral");
    if (steps->Text(1) == "IdxInsert") ++indexes;
  }
  EXPECT_EQ(indexes, 2);
}

TEST(Load, ADamagedRowIsNamedWithWhatToDo) {
  TemporaryDirectory directory;
  MustOpen(directory.path())->Commit(std::vector{Creation(MakeWorkload(1, "new"))}).value();
  for (std::string_view damage : {R"({"phase":7})", "{broken", "[]"}) {
    WriteDatabase(directory.path(), fmt::format("UPDATE object SET body='{}'", damage));
    auto store = MustOpen(directory.path());
    Status loaded = store->Load([](const Object&) -> Status { return {}; });
    ASSERT_FALSE(loaded) << damage;
    EXPECT_EQ(loaded.error().code, Code::kInternal);
    EXPECT_THAT(loaded.error().message, HasSubstr("table 'object'"));
    EXPECT_THAT(loaded.error().message, HasSubstr("kind 'workload'"));
    EXPECT_THAT(loaded.error().message, HasSubstr(FormatUuid(MakeWorkloadId(1).value)));
    EXPECT_THAT(loaded.error().details, HasSubstr("gpuyard restore"));
  }
}

TEST(Migration, ANewerSchemaIsRefused) {
  TemporaryDirectory directory;
  MustOpen(directory.path()).reset();
  WriteDatabase(directory.path(), "PRAGMA user_version=99");
  auto store = OpenSqlite(directory.path());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Code::kUnsupported);
  EXPECT_THAT(store.error().message, HasSubstr("99"));
}

TEST(Migration, ADatabaseOfAnotherProgramIsRefused) {
  TemporaryDirectory directory;
  WriteDatabase(directory.path(), "CREATE TABLE cookies(name)");
  auto store = OpenSqlite(directory.path());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Code::kInvalid);
}

TEST(PackedText, ComesBackWhateverItHolds) {
  std::string packed;
  AppendPacked(packed, "3:abc");
  AppendPacked(packed, "");
  AppendPacked(packed, std::string_view("\0x", 2));
  std::string_view rest = packed;
  EXPECT_EQ(TakePacked(rest), "3:abc");
  EXPECT_EQ(TakePacked(rest), "");
  EXPECT_EQ(TakePacked(rest), std::string_view("\0x", 2));
  EXPECT_EQ(TakePacked(rest), std::nullopt);
  rest = "9:short";
  EXPECT_EQ(TakePacked(rest), std::nullopt);
}

}  // namespace
}  // namespace yard::store
