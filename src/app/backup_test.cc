#include "app/backup.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/uuid.h"
#include "engine/local/tasks/ended_tasks.h"
#include "store/records/record_store.h"
#include "store/sqlite/sqlite_store.h"

namespace yard::app {
namespace {

namespace fs = std::filesystem;

class BackupTest : public ::testing::Test {
 protected:
  BackupTest() {
    mkdtemp(scratch_.data());
    data_ = scratch_ + "/data";
    copy_ = scratch_ + "/copy";
    file_ = scratch_ + "/lab.backup";
    fs::create_directory(data_);
    EXPECT_TRUE(store::OpenSqlite(data_).has_value());
  }
  ~BackupTest() override { fs::remove_all(scratch_); }

  void Put(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(data_ + "/" + name).parent_path());
    std::ofstream(data_ + "/" + name, std::ios::binary) << text;
  }
  std::string Restored(const std::string& name) { return ReadFileOrEmpty(copy_ + "/" + name); }

  std::string scratch_ = "/tmp/gpuyard-backup.XXXXXX";
  std::string data_;
  std::string copy_;
  std::string file_;
};

TEST_F(BackupTest, BringsBackKeysCertificatesAndTheUsageOfEndedWork) {
  std::string course("\0\1 course of an attempt\xff", 24);
  Put("keys/seal", "secret");
  Put("tls/ca.crt", "certificate");
  Put("usage/0190a000-0000-7000-8000-000000000001", course);
  ASSERT_TRUE(BackUp({data_}, file_).has_value());
  ASSERT_TRUE(Restore(file_, {copy_}).has_value());
  EXPECT_EQ(Restored("keys/seal"), "secret");
  EXPECT_EQ(Restored("tls/ca.crt"), "certificate");
  EXPECT_EQ(Restored("usage/0190a000-0000-7000-8000-000000000001"), course);
  struct stat about{};
  ASSERT_EQ(stat((copy_ + "/keys/seal").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
}

TEST_F(BackupTest, BringsBackTrackedRunsAndStudies) {
  for (const char* folder : {"/track", "/study"}) {
    auto records = store::OpenRecords(data_ + folder);
    ASSERT_TRUE(records.has_value()) << records.error().message;
    store::RecordChange change{.kind = "run", .id = "r1", .body = std::string("in") + folder};
    ASSERT_TRUE((*records)->Write({&change, 1}).has_value());
  }
  Put("track/series/series-7.log", std::string("\0\1points", 8));
  Put("track/artifacts/model", "large");
  ASSERT_TRUE(BackUp({data_}, file_).has_value());
  EXPECT_FALSE(fs::exists(file_ + ".part"));
  ASSERT_TRUE(Restore(file_, {copy_}).has_value());
  EXPECT_EQ(Restored("track/series/series-7.log"), std::string("\0\1points", 8));
  EXPECT_FALSE(fs::exists(copy_ + "/track/artifacts"));
  for (const char* folder : {"/track", "/study"}) {
    auto records = store::OpenRecords(copy_ + folder);
    ASSERT_TRUE(records.has_value()) << records.error().message;
    std::string found;
    ASSERT_TRUE((*records)->Load([&](std::string_view, std::string_view id, std::string_view body) {
      found = fmt::format("{} {}", id, body);
      return Status();
    }));
    EXPECT_EQ(found, std::string("r1 in") + folder);
  }
}

// Root makes it, and the server's account may have put the links there.
TEST_F(BackupTest, FollowsNoLink) {
  const std::string outside = scratch_ + "/shadow";
  std::ofstream(outside) << "of the machine";
  Put("keys/seal", "secret");
  Put("track/series/series-1.log", "points");
  fs::create_symlink(outside, data_ + "/keys/link");
  fs::create_symlink(outside, data_ + "/track/series/series-2.log");
  ASSERT_TRUE(BackUp({data_}, file_).has_value());
  ASSERT_TRUE(Restore(file_, {copy_}).has_value());
  EXPECT_EQ(Restored("keys/seal"), "secret");
  EXPECT_EQ(Restored("track/series/series-1.log"), "points");
  EXPECT_FALSE(fs::exists(copy_ + "/keys/link"));
  EXPECT_FALSE(fs::exists(copy_ + "/track/series/series-2.log"));
}

TEST_F(BackupTest, LeavesOutWhatTheServerIsStillWriting) {
  Put("usage/0190a000-0000-7000-8000-000000000001.new", "half");
  ASSERT_TRUE(BackUp({data_}, file_).has_value());
  ASSERT_TRUE(Restore(file_, {copy_}).has_value());
  EXPECT_TRUE(fs::is_directory(copy_ + "/usage"));
  EXPECT_TRUE(fs::is_empty(copy_ + "/usage"));
}

TEST_F(BackupTest, LeavesNothingBehindWhereAFileIsNoWholeBackup) {
  ASSERT_TRUE(BackUp({data_}, file_).has_value());
  fs::resize_file(file_, fs::file_size(file_) / 2);
  EXPECT_FALSE(Restore(file_, {copy_}).has_value());
  EXPECT_FALSE(fs::exists(copy_ + "/gpuyard.lock"));
  EXPECT_FALSE(fs::exists(copy_ + "/gpuyard.db"));
}

TEST_F(BackupTest, OverwritesNeitherAFileNorADataDirectory) {
  ASSERT_TRUE(BackUp({data_}, file_).has_value());
  EXPECT_EQ(BackUp({data_}, file_).error().code, Code::kConflict);
  EXPECT_EQ(Restore(file_, {data_}).error().code, Code::kConflict);
}

TEST_F(BackupTest, CarriesTheLogsOfTasksAndNothingElseOfThem) {
  const std::string task = data_ + "-tasks/tasks/01a1e40c-15c1-7482-8186-5b4cd5fe8ab9.0";
  fs::create_directories(task + "/work");
  for (const char* file : {"/log.0", "/log.times", "/spec", "/state", "/work/big", "/tty.sock"})
    std::ofstream(task + file) << file << "\ncause=Completed\n";
  const std::string runs = data_ + "-tasks/tasks/01a1e40c-15c1-7482-8186-5b4cd5fe8ab9.1";
  fs::create_directories(runs);
  std::ofstream(runs + "/state") << "shim=1\npid=2\n";
  ASSERT_TRUE(BackUp({data_, data_ + "-tasks"}, file_).has_value());
  ASSERT_TRUE(Restore(file_, {copy_, copy_ + "-tasks"}).has_value());
  const std::string restored = copy_ + "-tasks/tasks/01a1e40c-15c1-7482-8186-5b4cd5fe8ab9.0";
  EXPECT_EQ(*ReadFile(restored + "/log.0"), "/log.0\ncause=Completed\n");
  EXPECT_FALSE(fs::exists(copy_ + "-tasks/tasks/01a1e40c-15c1-7482-8186-5b4cd5fe8ab9.1"));
  EXPECT_TRUE(fs::exists(restored + "/log.times"));
  EXPECT_TRUE(fs::exists(restored + "/state"));
  EXPECT_FALSE(fs::exists(restored + "/work"));
  EXPECT_FALSE(fs::exists(restored + "/tty.sock"));
}

TEST_F(BackupTest, CarriesTheLogsOfTasksThatWerePackedAway) {
  const std::string tasks = data_ + "-tasks";
  fs::create_directories(tasks);
  {
    auto packed = engine::OpenEndedTasks(tasks, engine::EndedMode::kOwn);
    ASSERT_TRUE(packed.has_value()) << packed.error().message;
    engine::EndedTask task;
    task.key = {AttemptId(*ParseUuid("01a1e40c-15c1-7482-8186-5b4cd5fe8ab9")), 2};
    task.files = {"end=1", "shim=1\ncause=Completed\n", "printed\n", ""};
    ASSERT_TRUE((*packed)->Add({&task, 1}));
  }
  ASSERT_TRUE(BackUp({data_, tasks}, file_).has_value());
  ASSERT_TRUE(Restore(file_, {copy_, copy_ + "-tasks"}).has_value());
  const std::string restored = copy_ + "-tasks/tasks/01a1e40c-15c1-7482-8186-5b4cd5fe8ab9.2";
  EXPECT_EQ(*ReadFile(restored + "/log.0"), "printed\n");
  EXPECT_EQ(*ReadFile(restored + "/spec"), "end=1");
  EXPECT_EQ(*ReadFile(restored + "/state"), "shim=1\ncause=Completed\n");
  EXPECT_FALSE(fs::exists(restored + "/log.times"));
}

TEST_F(BackupTest, ARestoredQueueIsHeldOnceUnlessItIsToRun) {
  ASSERT_TRUE(BackUp({data_}, file_).has_value());
  EXPECT_FALSE(MustHoldQueue(data_));
  ASSERT_TRUE(Restore(file_, {copy_}).has_value());
  EXPECT_TRUE(MustHoldQueue(copy_));
  QueueIsHeld(copy_);
  EXPECT_FALSE(MustHoldQueue(copy_));
  ASSERT_TRUE(Restore(file_, {copy_ + "-2"}, RestoredQueue::kRuns).has_value());
  EXPECT_FALSE(MustHoldQueue(copy_ + "-2"));
}

}  // namespace
}  // namespace yard::app
