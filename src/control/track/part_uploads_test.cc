#include "control/track/part_uploads.h"

#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace yard::control {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr ProjectId kOurs{1};

class PartUploadsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string folder = fs::temp_directory_path() / "yard-parts-XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    Open();
  }
  void TearDown() override { fs::remove_all(folder_); }

  void Open() {
    artifacts_ = std::make_unique<Artifacts>(ArtifactsOptions{
        .folder = folder_, .most_bytes_of_a_file = 1000, .room = [this](const std::string&) {
          return DiskRoom{1U << 30, room_};
        }});
    uploads_ = std::make_unique<PartUploads>(*artifacts_, clock_, random_);
    uploads_->Load();
  }
  Result<PartUploads::Begun> Begin(const std::string& name, const std::string& who = "ann") {
    return uploads_->Begin(
        {.place = {kOurs, "1/run/artifacts/" + name}, .parts = 2, .by = {.id = who}});
  }
  Status Send(const PartUploads::Begun& begun, std::int64_t part, const std::string& bytes) {
    YARD_ASSIGN(ArtifactPlace place, uploads_->PlaceOf(begun.id, begun.secret, part));
    return artifacts_->Put(place, bytes);
  }

  std::string folder_;
  std::uint64_t room_ = 1U << 30;
  ManualClock clock_{Time{1'800'000'000'000'000}};
  SeededRandom random_{1};
  std::unique_ptr<Artifacts> artifacts_;
  std::unique_ptr<PartUploads> uploads_;
};

TEST_F(PartUploadsTest, AFileOfPartsIsNotLargerThanOneMayBe) {
  auto begun = Begin("large");
  ASSERT_TRUE(begun);
  ASSERT_TRUE(Send(*begun, 1, std::string(600, 'x')));
  ASSERT_TRUE(Send(*begun, 2, std::string(600, 'x')));
  Status done = uploads_->Complete(begun->id, "1/run/artifacts/large");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kTooLarge);
  EXPECT_FALSE(Send(*begun, 2, std::string(1001, 'x')));
  ASSERT_TRUE(Send(*begun, 2, std::string(400, 'x')));
  EXPECT_TRUE(uploads_->Complete(begun->id, "1/run/artifacts/large"));
}

// It would be a file that no quota counts and nobody removes.
TEST_F(PartUploadsTest, APartThatComesAfterTheEndLeavesNothing) {
  auto begun = Begin("late");
  ASSERT_TRUE(begun);
  auto place = uploads_->PlaceOf(begun->id, begun->secret, 1);
  ASSERT_TRUE(place);
  auto writer = artifacts_->Begin(*place, std::nullopt);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->Write("late"));
  ASSERT_TRUE(uploads_->Abort(begun->id, "1/run/artifacts/late"));
  EXPECT_FALSE((*writer)->Commit());
  writer->reset();
  EXPECT_FALSE(artifacts_->Put(*place, "later"));
  EXPECT_TRUE(fs::is_empty(artifacts_->parts_folder()));
}

TEST_F(PartUploadsTest, OnePersonLeavesRoomToOthers) {
  std::size_t begun = 0;
  while (Begin(fmt::format("a{}", begun))) ++begun;
  EXPECT_EQ(begun, PartUploads::kMostOfOne);
  while (Begin(fmt::format("b{}", begun), "bob")) ++begun;
  EXPECT_EQ(begun, PartUploads::kMostOfAProject);
  EXPECT_THAT(Begin("c", "carl").error().message, HasSubstr("64 files are on their way"));
  // Programs that were killed do not stop everybody for a week.
  clock_.Advance(Hours(7));
  EXPECT_TRUE(Begin("c", "carl"));
}

TEST_F(PartUploadsTest, WhoHasBegunIsKnownAfterARestart) {
  const UserId user{Uuid{{7}}};
  auto begun = uploads_->Begin({.place = {kOurs, "1/run/artifacts/f"},
                                .parts = 1,
                                .by = {.id = "ann@lab.org", .user = user}});
  ASSERT_TRUE(begun);
  Open();
  auto by = uploads_->BegunBy(begun->id);
  ASSERT_TRUE(by);
  EXPECT_EQ(by->id, "ann@lab.org");
  EXPECT_EQ(by->user, user);
  EXPECT_EQ(by->type, SubjectType::kUser);
}

// Somebody who does not say how much is to come wrote 32 MiB before anybody looked.
TEST_F(PartUploadsTest, NoByteIsWrittenToAFullDisk) {
  room_ = 1 << 20;
  EXPECT_FALSE(artifacts_->Begin({kOurs, "1/run/artifacts/f"}, std::nullopt));
  room_ = 1U << 30;
  auto writer = artifacts_->Begin({kOurs, "1/run/artifacts/f"}, std::nullopt);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->Write("x"));
  room_ = 1 << 20;
  Status more = (*writer)->Write("x");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, Code::kUnavailable);
}

TEST(ArtifactQuota, OthersDoNotWaitWhileAProjectIsCounted) {
  ArtifactQuota* quota = nullptr;
  Status other = Fail(Code::kInternal, "not asked");
  ArtifactQuota counted(100, [&](ProjectId project) -> std::uint64_t {
    if (project == kOurs) other = quota->Reserve(ProjectId{2}, 1);
    return 0;
  });
  quota = &counted;
  EXPECT_TRUE(counted.Reserve(kOurs, 1));
  EXPECT_TRUE(other);
}

}  // namespace
}  // namespace yard::control
