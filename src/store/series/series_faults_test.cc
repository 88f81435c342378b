// Full disks and damaged files: clear errors, named damage, and everything else readable.
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "store/series/series_fixture.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {
namespace {

using testing::HasSubstr;

// A file system of its own that is soon full.
class SmallDisk {
 public:
  SmallDisk() {
    mounted_ = ::mount("tmpfs", directory_.path().c_str(), "tmpfs", 0, "size=1m") == 0;
    error_ = errno;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) ::umount2(directory_.path().c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  std::string error() const { return std::strerror(error_); }
  std::string path() const { return directory_.path() + "/series"; }
  std::string filler() const { return directory_.path() + "/filler"; }

 private:
  TemporaryDirectory directory_;
  bool mounted_ = false;
  int error_ = 0;
};

TEST(SeriesDiskFull, RefusedAppendsStoreNothingAndLaterOnesSucceed) {
  SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "cannot mount a file system: " << disk.error();
  auto store = MustOpenSeries(disk.path());
  std::ofstream(disk.filler()) << std::string(100'000, 'x');
  std::int64_t acknowledged = 0;
  Status last;
  for (; acknowledged < 1'000'000; acknowledged += 1000) {
    last = store->Append(Batch("r", "x", Counting(acknowledged, acknowledged + 1000)));
    if (!last) break;
  }
  ASSERT_FALSE(last) << "the disk never got full";
  EXPECT_EQ(last.error().code, Code::kUnavailable);
  EXPECT_THAT(last.error().message, HasSubstr("the disk of the data directory is full"));
  EXPECT_EQ(MustRead(*store, "r", "x"), Counting(0, acknowledged));
  Status flushed = store->Flush();
  if (!flushed) {
    EXPECT_EQ(flushed.error().code, Code::kUnavailable);
  }
  EXPECT_EQ(MustRead(*store, "r", "x"), Counting(0, acknowledged));
  ::unlink(disk.filler().c_str());
  MustAppend(*store, Batch("r", "x", Counting(acknowledged, acknowledged + 1000)));
  EXPECT_EQ(MustRead(*store, "r", "x"), Counting(0, acknowledged + 1000));
  store.reset();
  EXPECT_EQ(MustRead(*MustOpenSeries(disk.path()), "r", "x"), Counting(0, acknowledged + 1000));
}

TEST(SeriesDamage, ADamagedBlockIsNamedAndTheOthersAreRead) {
  TemporaryDirectory directory;
  auto store = MustOpenSeries(directory.path());
  MustAppend(*store, Batch("r", "x", Counting(0, 5 * 4096)));
  ASSERT_TRUE(store->Flush());
  {
    auto database = Database::Open(directory.path() + "/series.db", OpenMode::kExisting);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->Execute(
        "UPDATE block SET body=substr(body, 1, 40)||x'00ff'||substr(body, 43) WHERE id=2"));
  }
  auto range = store->Read({RunKey{"r"}, "x"}, {});
  ASSERT_TRUE(range);
  ASSERT_EQ(range->damaged.size(), 1u);
  EXPECT_EQ(range->damaged[0].first_step, 4096);
  EXPECT_EQ(range->damaged[0].last_step, 2 * 4096 - 1);
  EXPECT_EQ(range->points.size(), 4u * 4096);
  EXPECT_EQ(store->Draw({RunKey{"r"}, "x"}, {})->damaged.size(), 1u);
  ASSERT_TRUE(store->Verify());
  ASSERT_EQ(store->Damages().size(), 1u);
  EXPECT_THAT(store->Damages()[0], HasSubstr("block 2 of metric 'x' of run 'r'"));
  // Late points for the same steps are kept beside it.
  MustAppend(*store, Batch("r", "x", Counting(4096, 4100)));
  ASSERT_TRUE(store->Flush());
  EXPECT_EQ(store->Read({RunKey{"r"}, "x"}, {})->points.size(), 4u * 4096 + 4);
}

class SeriesLogDamage : public testing::Test {
 protected:
  // Three frames in one file.
  SeriesLogDamage() {
    auto store = MustOpenSeries(directory_.path());
    for (std::int64_t step = 0; step < 300; step += 100) {
      MustAppend(*store, Batch("r", "x", Counting(step, step + 100)));
    }
  }
  std::string Path() const { return directory_.path() + "/series-1.log"; }
  void Write(const std::string& bytes) { std::ofstream(Path(), std::ios::binary) << bytes; }

  TemporaryDirectory directory_;
};

TEST_F(SeriesLogDamage, ATornEndIsLeftOutWithoutAWord) {
  std::string bytes = *ReadFile(Path());
  for (std::size_t cut : {1u, 50u, 1000u}) {
    Write(bytes.substr(0, bytes.size() - cut));
    auto store = MustOpenSeries(directory_.path());
    EXPECT_EQ(MustRead(*store, "r", "x"), Counting(0, 200));
    EXPECT_TRUE(store->Damages().empty());
  }
}

TEST_F(SeriesLogDamage, ADamagedFrameBeforeWholeOnesIsNamedAndKeptAside) {
  std::string bytes = *ReadFile(Path());
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  Write(bytes);
  auto store = MustOpenSeries(directory_.path());
  Points points = MustRead(*store, "r", "x");
  EXPECT_EQ(points.size(), 200u);
  EXPECT_EQ(points.back().step, 299);
  ASSERT_EQ(store->Damages().size(), 1u);
  EXPECT_THAT(store->Damages()[0], HasSubstr("series-1.log: bytes "));
  ASSERT_TRUE(store->Flush());
  EXPECT_TRUE(std::filesystem::exists(Path() + ".damaged"));
}

}  // namespace
}  // namespace yard::store
