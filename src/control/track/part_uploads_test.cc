#include "control/track/part_uploads.h"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/random.h"

namespace yard::control {
namespace {

namespace fs = std::filesystem;

// It would be a file that no quota counts and nobody removes.
TEST(PartUploads, APartThatComesAfterTheEndLeavesNothing) {
  std::string folder = fs::temp_directory_path() / "yard-parts-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  ManualClock clock{Time{1'800'000'000'000'000}};
  SeededRandom random(1);
  Artifacts artifacts({.folder = folder});
  PartUploads uploads(artifacts, clock, random);
  const ArtifactPlace whole{ProjectId{1}, "1/run/artifacts/late"};
  auto begun = uploads.Begin(whole, 2);
  ASSERT_TRUE(begun);
  auto place = uploads.PlaceOf(begun->id, begun->secret, 1);
  ASSERT_TRUE(place);
  auto writer = artifacts.Begin(*place, std::nullopt);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->Write("late"));
  ASSERT_TRUE(uploads.Abort(begun->id, whole.path));
  EXPECT_FALSE((*writer)->Commit());
  writer->reset();
  EXPECT_FALSE(artifacts.Put(*place, "later"));
  EXPECT_TRUE(fs::is_empty(artifacts.parts_folder()));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace yard::control
