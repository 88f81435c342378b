// Disks that are full, read-only or damaged: clear errors, and recovery without reopening.
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/store_fixture.h"
#include "wire/spec.h"

namespace yard::store {
namespace {

using testing::HasSubstr;

Entry BigCreation(std::uint32_t number) {
  Workload workload = MakeWorkload(number, "big");
  workload.spec = wire::ReadSpecText("{\"padding\":\"" + std::string(20'000, 'x') + "\"}");
  return Creation(workload);
}

// Commits until the store refuses; returns how many were acknowledged and why it ended.
struct Filled {
  std::uint32_t acknowledged = 0;
  Error error;
};
Filled FillUp(Store& store, std::uint32_t first) {
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    auto done = store.Commit(std::vector{BigCreation(first + i)});
    if (!done) return {.acknowledged = i, .error = done.error()};
  }
  ADD_FAILURE() << "the disk never got full";
  return {};
}

// The same with history only, which pruning can free.
Filled FillWithNotes(Store& store) {
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    Entry entry{.at = Time{i}};
    entry.notes.push_back({.action = std::string(20'000, 'x')});
    auto done = store.Commit(std::vector{entry});
    if (!done) return {.acknowledged = i, .error = done.error()};
  }
  ADD_FAILURE() << "the disk never got full";
  return {};
}

void ExpectDiskFull(const Filled& filled) {
  EXPECT_GT(filled.acknowledged, 0u);
  EXPECT_EQ(filled.error.code, Code::kUnavailable) << filled.error.message;
  EXPECT_THAT(filled.error.message, HasSubstr("the disk of the data directory is full"));
}

TEST(DiskFull, ADatabaseAtItsLimitRefusesReadsOnAndRecoversOnceSpaceIsFreed) {
  TemporaryDirectory directory;
  auto store = OpenSqlite(directory.path(), {.max_pages = 200});
  ASSERT_TRUE(store);
  Filled filled = FillWithNotes(**store);
  ExpectDiskFull(filled);
  EXPECT_EQ((*store)->last_sequence(), filled.acknowledged);
  EXPECT_EQ((*store)->ReadJournal({.limit = 1})->total, filled.acknowledged);
  PruneAll(**store, Time{filled.acknowledged / 2});
  EXPECT_EQ((*store)->Commit(std::vector{BigCreation(1)}), filled.acknowledged + 1);
}

TEST(DiskFull, NothingOfARefusedCommitIsStored) {
  TemporaryDirectory directory;
  auto store = OpenSqlite(directory.path(), {.max_pages = 200});
  ASSERT_TRUE(store);
  std::vector<Entry> batch;
  for (std::uint32_t i = 0; i < 500; ++i) batch.push_back(BigCreation(i));
  ASSERT_FALSE((*store)->Commit(batch));
  EXPECT_TRUE(LoadAll(**store).empty());
  EXPECT_EQ((*store)->ReadJournal({})->total, 0);
  EXPECT_EQ((*store)->Commit(std::vector{BigCreation(1)}), 1);
}

// A file system of a few megabytes, unmounted at the end.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& path) : path_(path) {
    std::filesystem::create_directories(path);
    if (::mount("gpuyard-test", path.c_str(), "tmpfs", 0, "size=4m") != 0) {
      problem_ = std::strerror(errno);
    }
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (problem_.empty()) ::umount2(path_.c_str(), MNT_DETACH);
  }
  // Why there is no such disk; empty if there is one.
  const std::string& problem() const { return problem_; }
  bool Remount(unsigned long flags) {
    return ::mount("gpuyard-test", path_.c_str(), "tmpfs", MS_REMOUNT | flags, "size=4m") == 0;
  }

 private:
  std::string path_;
  std::string problem_;
};

TEST(DiskFull, OnARealFileSystemReadsGoOnAndCommitsResumeWhenSpaceIsBack) {
  TemporaryDirectory directory;
  SmallDisk disk(directory.path() + "/disk");
  if (!disk.problem().empty()) GTEST_SKIP() << "needs root to mount a tmpfs: " << disk.problem();
  std::string ballast = directory.path() + "/disk/ballast";
  std::ofstream(ballast) << std::string(1 << 20, 'x');
  auto store = MustOpen(directory.path() + "/disk/data");
  Filled filled = FillUp(*store, 0);
  ExpectDiskFull(filled);
  EXPECT_EQ(LoadAll(*store).size(), filled.acknowledged);
  EXPECT_FALSE(store->Commit(std::vector{BigCreation(900'000)}));
  std::filesystem::remove(ballast);
  EXPECT_EQ(store->Commit(std::vector{BigCreation(900'001)}), filled.acknowledged + 1);
  store = nullptr;
  store = MustOpen(directory.path() + "/disk/data");
  EXPECT_EQ(LoadAll(*store).size(), filled.acknowledged + 1);
}

TEST(DiskFull, ABackupThatDoesNotFitLeavesNothingBehind) {
  TemporaryDirectory directory;
  SmallDisk disk(directory.path() + "/disk");
  if (!disk.problem().empty()) GTEST_SKIP() << "needs root to mount a tmpfs: " << disk.problem();
  auto store = MustOpen(directory.path() + "/data");
  for (std::uint32_t i = 0; i < 300; ++i) {
    ASSERT_TRUE(store->Commit(std::vector{BigCreation(i)}));
  }
  Status status = store->Backup(directory.path() + "/disk/copy");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::kUnavailable) << status.error().message;
  EXPECT_TRUE(std::filesystem::is_empty(directory.path() + "/disk"));
}

TEST(ReadOnlyDisk, ADirectoryThatCannotBeWrittenIsRefusedWithItsName) {
  TemporaryDirectory directory;
  SmallDisk disk(directory.path() + "/disk");
  if (!disk.problem().empty()) GTEST_SKIP() << "needs root to mount a tmpfs: " << disk.problem();
  ASSERT_TRUE(disk.Remount(MS_RDONLY));
  auto store = OpenSqlite(directory.path() + "/disk/data");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Code::kUnavailable);
  EXPECT_THAT(store.error().message, HasSubstr("Read-only file system"));
  EXPECT_THAT(store.error().message, HasSubstr(directory.path() + "/disk/data"));
}

TEST(DamagedFile, IsNamedWithTheWayOut) {
  TemporaryDirectory directory;
  MustOpen(directory.path()).reset();
  std::ofstream(directory.path() + "/gpuyard.db") << std::string(8192, 'x');
  auto store = OpenSqlite(directory.path());
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, HasSubstr(directory.path() + "/gpuyard.db is damaged"));
  EXPECT_THAT(store.error().details, HasSubstr("gpuyard restore"));
}

TEST(DamagedFile, ADamagedPageStopsTheLoadInsteadOfLosingObjects) {
  TemporaryDirectory directory;
  auto store = MustOpen(directory.path());
  for (std::uint32_t i = 0; i < 50; ++i) {
    ASSERT_TRUE(store->Commit(std::vector{BigCreation(i)}));
  }
  store.reset();
  std::fstream file(directory.path() + "/gpuyard.db", std::ios::in | std::ios::out);
  std::string junk(200 * 1024, '\x7f');
  file.seekp(4096 * 9);
  file.write(junk.data(), static_cast<std::streamsize>(junk.size()));
  file.close();
  auto damaged = OpenSqlite(directory.path());
  Status loaded = damaged ? (*damaged)->Load([](Object) -> Status { return {}; })
                          : Status(Fail(damaged.error()));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::kInternal) << loaded.error().message;
}

}  // namespace
}  // namespace yard::store
