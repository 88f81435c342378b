#include "control/ftps/takes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/testing/temporary_data_sets.h"
#include "data/folder.h"

namespace yard::control {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Phase = TakeState::Phase;

constexpr ProjectId kVision{7};

class FtpsTakesTest : public ::testing::Test {
 protected:
  FtpsTakesTest() {
    std::string name = (fs::temp_directory_path() / "gpuyard-takes-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    fs::create_directories(folder_ / "alice/code/lib");
    Write("alice/code/main.py", "print()");
    Write("alice/code/lib/net.py", std::string(300'000, 'x'));
    fs::create_symlink("/etc", folder_ / "alice/out");
  }
  ~FtpsTakesTest() override { fs::remove_all(folder_); }

  void Write(const std::string& path, const std::string& text) {
    std::ofstream(folder_ / path) << text;
  }
  TakeWish Wish(std::string folder) {
    return {.project = kVision,
            .name = "code",
            .tag = "v1",
            .folder = std::move(folder),
            .created_by = "ann@lab.org",
            .still_right = [this] { return right_; }};
  }
  TakeState Take(std::string folder) {
    const Result<Uuid> id = takes_->Begin(Wish(std::move(folder)));
    if (!id) return {.phase = Phase::kFailed, .problem = id.error().message};
    while (true) {
      const std::optional<TakeState> state = takes_->Find(kVision, *id);
      if (!state || state->phase == Phase::kDone || state->phase == Phase::kFailed)
        return state.value_or(TakeState{});
      std::this_thread::yield();
    }
  }

  ManualClock clock_{Time{Days(20000).value}};
  SeededRandom random_{7};
  fs::path folder_;
  Status right_;
  Status room_;
  TemporaryDataSets sets_{clock_};
  std::unique_ptr<FtpsTakes> takes_ = std::make_unique<FtpsTakes>(
      *sets_.get(),
      FtpsTakesOptions{.open = [this](ProjectId) { return data::OpenFolder(folder_.string()); },
                       .room = [this] { return room_; },
                       .clock = clock_,
                       .random = random_});
};

TEST_F(FtpsTakesTest, AFolderBecomesAVersionWithTheTag) {
  const TakeState done = Take("/mnt/nfs/alice/code/");
  ASSERT_EQ(done.phase, Phase::kDone) << done.problem;
  EXPECT_EQ(done.version->files, 2);
  EXPECT_EQ(done.version->bytes, 300'007);
  EXPECT_EQ(done.version->created_by, "ann@lab.org");
  EXPECT_EQ(sets_.get()->Find(kVision, "code", "v1")->id, done.version->id);
  EXPECT_EQ(Take("alice/code").version->id, done.version->id);
}

TEST_F(FtpsTakesTest, LinksAreKeptAndNeverFollowed) {
  EXPECT_EQ(Take("/mnt/nfs").version->files, 2);
  const TakeState through = Take("alice/out");
  EXPECT_EQ(through.phase, Phase::kFailed);
  EXPECT_THAT(through.problem, HasSubstr("alice/out"));
  EXPECT_EQ(Take("alice/out/ssl").phase, Phase::kFailed);
}

TEST_F(FtpsTakesTest, WhatLeadsElsewhereIsRefusedBeforeItIsOpened) {
  for (const char* folder : {"..", "alice/../..", "/etc", "/mnt", "/mnt/nfs2", "/mnt/nfs/../x"})
    EXPECT_EQ(FolderBelow(folder).has_value(), false) << folder;
  EXPECT_EQ(*FolderBelow("/mnt/nfs/"), "");
  EXPECT_EQ(*FolderBelow("//mnt/nfs//a/./b/"), "a/b");
  EXPECT_EQ(*FolderBelow("a//b"), "a/b");
  EXPECT_EQ(*FolderBelow(""), "");
  EXPECT_EQ(*FolderBelow("/"), "");
}

TEST_F(FtpsTakesTest, WhoLostTheRightMeanwhileTakesNothing) {
  right_ = Fail(Code::kForbidden, "not any more");
  EXPECT_EQ(Take("alice/code").problem, "not any more");
  EXPECT_THAT(sets_.get()->List(kVision), IsEmpty());
}

TEST_F(FtpsTakesTest, AFullDiskAndAMissingFolderAreTold) {
  EXPECT_THAT(Take("bob").problem, HasSubstr("'bob'"));
  room_ = Fail(Code::kUnavailable, "the disk is full");
  EXPECT_EQ(Take("alice/code").problem, "the disk is full");
}

TEST_F(FtpsTakesTest, APipeIsSkippedAndAFileIsNoFolder) {
  ASSERT_EQ(::mkfifo((folder_ / "alice/code/pipe").c_str(), 0600), 0);
  const TakeState done = Take("alice/code");
  ASSERT_EQ(done.phase, Phase::kDone) << done.problem;
  EXPECT_EQ(done.skipped, 1U);
  EXPECT_EQ(Take("alice/code/main.py").phase, Phase::kFailed);
}

TEST_F(FtpsTakesTest, NamesOfDataSetsAreCheckedAndOtherProjectsSeeNothing) {
  TakeWish bad = Wish("alice");
  bad.name = "../up";
  EXPECT_EQ(takes_->Begin(std::move(bad)).error().code, Code::kInvalid);
  const Result<Uuid> id = takes_->Begin(Wish("alice"));
  ASSERT_TRUE(id);
  EXPECT_FALSE(takes_->Find(ProjectId{8}, *id));
  EXPECT_TRUE(takes_->Find(kVision, *id));
}

TEST_F(FtpsTakesTest, AFileThatChangesAfterTheListingIsTakenAsItIsRead) {
  UniqueFd folder = *data::OpenFolder((folder_ / "alice/code").string());
  int asked = 0;
  const FolderTake take{.project = kVision,
                        .name = "code",
                        .tag = "v1",
                        .created_by = "ann@lab.org",
                        .origin = "test",
                        .go_on = [&](std::uint64_t) -> Status {
                          // Longer than what was seen when the folder was listed.
                          if (++asked == 1) fs::resize_file(folder_ / "alice/code/lib/net.py", 7);
                          return {};
                        }};
  const auto taken = TakeFolder(*sets_.get(), folder.get(), take);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->version.bytes, 14);  // as it was when it was read
}

}  // namespace
}  // namespace yard::control
