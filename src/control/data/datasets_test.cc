#include "control/data/datasets.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <semaphore>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/file.h"
#include "data/cut.h"
#include "data/folder_writer.h"
#include "data/frame.h"
#include "data/manifest.h"
#include "store/datasets/dataset_store.h"

namespace yard::control {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr ProjectId kOurs{7};
constexpr ProjectId kTheirs{8};

class DataSetsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/gyd-XXXXXX";
    folder_ = ::mkdtemp(name);
    Open();
  }
  void TearDown() override {
    sets_.reset();
    EXPECT_TRUE(data::RemoveFolder(folder_));
  }
  void Open() {
    sets_.reset();
    auto opened = DataSets::Open({.folder = folder_ + "/data",
                                  .clock = clock_,
                                  .open = store::OpenDataSets,
                                  .room = [this](const std::string&) { return room_(); },
                                  .files_left = [this](const std::string&) { return files_left_; },
                                  .most_versions = 5,
                                  .most_tags = 4,
                                  .most_manifest_chunks = 7});
    ASSERT_TRUE(opened) << opened.error().message;
    sets_ = *std::move(opened);
  }

  data::ChunkId Send(std::string_view content, const std::string& push = "p") {
    std::string frames;
    data::AppendPacked(frames, data::IdOf(content), content);
    EXPECT_TRUE(sets_->Put(kOurs, push, frames));
    return data::IdOf(content);
  }
  static data::Entry File(std::string path, std::string_view content) {
    return {.path = std::move(path),
            .kind = data::Kind::kFile,
            .mode = 0600,
            .size = content.size(),
            .target = {},
            .segments = {{content.size(), false, data::IdOf(content)}}};
  }
  Result<CommittedVersion> Commit(const std::string& tag, const std::vector<data::Entry>& entries,
                                  const std::string& push = "p") {
    const data::ChunkId manifest = Send(data::WriteManifest(entries), push);
    return sets_->Commit(kOurs, {.name = "images",
                                 .tag = tag,
                                 .manifest = {manifest},
                                 .created_by = "ann@lab.org",
                                 .push = push});
  }
  store::DataVersion Pushed(const std::string& tag, const std::string& content) {
    Send(content);
    auto done = Commit(tag, {File("f", content)});
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_THAT(done->missing, IsEmpty());
    return done->version;
  }
  // Once it is made, or cannot be.
  Result<std::string> ViewOf(const store::DataVersion& version, ProjectId project = kOurs) {
    while (true) {
      Result<std::string> view = sets_->View(project, version);
      if (view || view.error().code != Code::kTooMany) return view;
      std::this_thread::yield();
    }
  }
  DataSets::Removal Rm(std::string which) { return {"images", std::move(which), {}}; }

  std::string folder_;
  ManualClock clock_{Time{1'800'000'000'000'000}};
  std::function<std::uint64_t()> room_ = [] { return std::uint64_t{1} << 40; };
  std::uint64_t files_left_ = 1'000'000;
  std::unique_ptr<DataSets> sets_;
};

TEST_F(DataSetsTest, AVersionIsFoundByTagAndByTheBeginningOfItsId) {
  const store::DataVersion one = Pushed("latest", "one");
  clock_.Advance(Seconds(1));
  const store::DataVersion two = Pushed("latest", "two");
  EXPECT_EQ(sets_->Find(kOurs, "images", "")->id, two.id);
  EXPECT_EQ(sets_->Find(kOurs, "images", data::Hex(one.id).substr(0, 10))->id, one.id);
  EXPECT_EQ(sets_->Find(kOurs, "images", "v9").error().code, Code::kNotFound);
  EXPECT_EQ(two.files, 1);
  EXPECT_EQ(two.bytes, 3);
  Open();
  EXPECT_THAT(sets_->List(kOurs).at(0).versions, SizeIs(2));
}

TEST_F(DataSetsTest, AnIdOpensNothingInAnotherProject) {
  const store::DataVersion version = Pushed("latest", "secret");
  const data::ChunkId id = data::IdOf("secret");
  EXPECT_EQ(sets_->Read(kTheirs, {&id, 1}).error().code, Code::kNotFound);
  EXPECT_THAT(*sets_->Missing(kTheirs, "p", {&id, 1}), SizeIs(1));
  EXPECT_EQ(sets_->Find(kTheirs, "images", "").error().code, Code::kNotFound);
  auto stolen = sets_->Commit(kTheirs, {.name = "stolen",
                                        .tag = "latest",
                                        .manifest = version.manifest,
                                        .created_by = "bob@lab.org"});
  ASSERT_TRUE(stolen);
  EXPECT_THAT(stolen->missing, SizeIs(1));
  EXPECT_THAT(sets_->List(kTheirs), IsEmpty());
}

TEST_F(DataSetsTest, ContentThatIsNotItsIdIsRefused) {
  std::string frames;
  data::AppendFrame(frames, {data::IdOf("good"), data::Encoding::kPlain, 3, "bad"});
  EXPECT_THAT(sets_->Put(kOurs, "p", frames).error().message,
              HasSubstr(data::Hex(data::IdOf("good"))));
}

TEST_F(DataSetsTest, HostileManifestsAreRefused) {
  Send("x");
  for (const char* path : {"../x", "/etc/passwd", "a//b", "no/parent"}) {
    auto done = Commit("latest", {File(path, "x")});
    ASSERT_FALSE(done) << path;
    EXPECT_EQ(done.error().code, Code::kInvalid);
  }
  EXPECT_THAT(sets_->List(kOurs), IsEmpty());
}

TEST_F(DataSetsTest, NamesAndTagsArePlain) {
  Send("x");
  for (const char* name : {"", "../x", "a/b", "-x", "a b", "caf\xc3\xa9"})
    EXPECT_FALSE(CheckDataName("name", name)) << name;
  EXPECT_FALSE(CheckDataName("name", std::string(64, 'a')));
  EXPECT_TRUE(CheckDataName("name", "imagenet-1k_v2.0"));
}

TEST_F(DataSetsTest, AMissingChunkIsNamedAndNothingIsCommitted) {
  auto done = Commit("latest", {File("f", "never sent")});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->missing.at(0), data::IdOf("never sent"));
  EXPECT_THAT(sets_->List(kOurs), IsEmpty());
}

TEST_F(DataSetsTest, RemovalDoesNotTakeWhatAPushWasToldOf) {
  Pushed("latest", "shared");
  const data::ChunkId shared = data::IdOf("shared");
  clock_.Advance(Seconds(1));
  ASSERT_THAT(*sets_->Missing(kOurs, "going on", {&shared, 1}), IsEmpty());
  clock_.Advance(Seconds(1));
  ASSERT_TRUE(sets_->Remove(kOurs, Rm("")));
  auto done = Commit("again", {File("f", "shared")}, "going on");
  ASSERT_TRUE(done);
  EXPECT_THAT(done->missing, IsEmpty());
  ASSERT_TRUE(sets_->Remove(kOurs, Rm("")));
  EXPECT_FALSE(sets_->Read(kOurs, {&shared, 1}));
  EXPECT_EQ(*sets_->StoredBytes(kOurs), 0);
}

TEST_F(DataSetsTest, ATagThatIsNotTheLastNameLeavesItsVersion) {
  const store::DataVersion version = Pushed("v1", "x");
  Pushed("latest", "x");
  EXPECT_EQ(sets_->Remove(kOurs, Rm("v1"))->versions, 0);
  EXPECT_EQ(sets_->Find(kOurs, "images", "")->id, version.id);
  EXPECT_EQ(sets_->Remove(kOurs, Rm("latest"))->versions, 1);
  EXPECT_EQ(sets_->Remove(kOurs, Rm("latest")).error().code, Code::kNotFound);
}

TEST_F(DataSetsTest, AVersionInUseStays) {
  const store::DataVersion version = Pushed("latest", "x");
  DataSets::Removal removal = Rm("");
  removal.in_use = {{kOurs, version.id}};
  EXPECT_EQ(sets_->Remove(kOurs, removal).error().code, Code::kConflict);
  removal.in_use = {{kTheirs, version.id}};
  EXPECT_TRUE(sets_->Remove(kOurs, removal));
}

TEST_F(DataSetsTest, AViewHasTheFilesOfItsVersionAndGoesUnused) {
  const store::DataVersion one = Pushed("latest", "one");
  const store::DataVersion two = Pushed("latest", "two");
  auto view = ViewOf(one);
  ASSERT_TRUE(view) << view.error().message;
  const std::string path = sets_->views() + "/" + *view;
  EXPECT_EQ(ReadFileOrEmpty(path + "/f"), "one");
  EXPECT_EQ(ReadFileOrEmpty(sets_->views() + "/" + *ViewOf(two) + "/f"), "two");
  struct stat about{};
  ASSERT_EQ(::stat((folder_ + "/data").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 077, 0U) << "others pass only by a mount";
  clock_.Advance(Days(8));
  sets_->Tidy({{kOurs, one.id}});
  EXPECT_TRUE(fs::exists(path));
  sets_->Tidy({});
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(ViewOf(one)) << "made again when it is asked for";
}

TEST_F(DataSetsTest, AViewThatIsBeingMadeKeepsNobodyWaiting) {
  const store::DataVersion large = Pushed("latest", "large");
  const store::DataVersion small = Pushed("small", "small");
  ASSERT_TRUE(ViewOf(small));
  std::binary_semaphore go(0);
  std::atomic<int> waiting = 0;
  room_ = [&] {
    if (waiting++ == 0) go.acquire();
    return std::uint64_t{1} << 40;
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(sets_->View(kOurs, large).error().code, Code::kTooMany);
  EXPECT_TRUE(sets_->View(kOurs, small)) << "what is there is used meanwhile";
  EXPECT_EQ(waiting, 1) << "it is made once";
  clock_.Advance(Days(8));
  sets_->Tidy({{kOurs, small.id}, {kOurs, large.id}});
  EXPECT_EQ(sets_->Remove(kOurs, Rm("v9")).error().code, Code::kNotFound);

  std::string frames;
  data::AppendPacked(frames, data::IdOf("theirs"), "theirs");
  const std::string manifest = data::WriteManifest({File("f", "theirs")});
  data::AppendPacked(frames, data::IdOf(manifest), manifest);
  ASSERT_TRUE(sets_->Put(kTheirs, "q", frames));
  auto theirs = sets_->Commit(kTheirs, {.name = "images",
                                        .tag = "latest",
                                        .manifest = {data::IdOf(manifest)},
                                        .created_by = "bob@lab.org"});
  ASSERT_TRUE(theirs);
  EXPECT_TRUE(ViewOf(theirs->version, kTheirs)) << "other projects do not wait";
  go.release();
  const auto view = ViewOf(large);
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(ReadFileOrEmpty(sets_->views() + "/" + *view + "/f"), "large");
}

// One chunk may fill a disk, since it is written wherever a file names it.
TEST_F(DataSetsTest, AViewThatIsLargerThanTheDiskIsNotBegun) {
  const std::string content(1 << 20, 'x');
  Send(content);
  data::Entry file = File("f", content);
  file.segments.assign(400, file.segments.front());
  file.size = 400U << 20;
  auto done = Commit("latest", {file});
  ASSERT_TRUE(done) << done.error().message;
  room_ = [] { return std::uint64_t{500} << 20; };
  const auto view = ViewOf(done->version);
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().code, Code::kTooLarge);
  EXPECT_THAT(view.error().message, HasSubstr("take 400 MiB, and the server's disk has 500 MiB"));
  EXPECT_FALSE(fs::exists(fmt::format("{}/7/{}", sets_->views(), data::Hex(done->version.id))));
}

// Nor is one of many small files, each of which takes a block and an entry in the disk's table.
TEST_F(DataSetsTest, AViewOfMoreFilesThanTheDiskTakesIsNotBegun) {
  Send("x");
  std::vector<data::Entry> entries;
  for (int i = 0; i < 1000; ++i) entries.push_back(File(fmt::format("f{:04}", i), "x"));
  auto done = Commit("latest", entries);
  ASSERT_TRUE(done) << done.error().message;
  room_ = [] { return std::uint64_t{260} << 20; };
  auto view = ViewOf(done->version);
  ASSERT_FALSE(view);
  EXPECT_THAT(view.error().message, HasSubstr("take 7 MiB"));
  room_ = [] { return std::uint64_t{1} << 40; };
  files_left_ = 10'999;
  clock_.Advance(Minutes(1));
  view = ViewOf(done->version);
  ASSERT_FALSE(view);
  EXPECT_THAT(view.error().message, HasSubstr("1000 files, and the server's disk takes 10999"));
}

TEST_F(DataSetsTest, FilesAreNotLongerTogetherThanCanBeCounted) {
  std::vector<data::Entry> entries;
  entries.reserve(1025);
  for (int i = 0; i < 1025; ++i) {
    entries.push_back({.path = fmt::format("f{:04}", i),
                       .kind = data::Kind::kFile,
                       .mode = 0600,
                       .size = data::kLargestFile,
                       .target = {},
                       .segments = {{data::kLargestFile, true, {}}}});
  }
  EXPECT_EQ(Commit("latest", entries).error().code, Code::kTooLarge);
  entries.resize(1024);
  EXPECT_TRUE(Commit("latest", entries));
}

// The ids of each manifest stay in memory.
TEST_F(DataSetsTest, AManifestDoesNotComeInCrumbs) {
  Send("x");
  const std::string manifest = data::WriteManifest({File("f", "x")});
  std::vector<data::ChunkId> crumbs;
  crumbs.reserve(manifest.size());
  for (char c : manifest) crumbs.push_back(Send(std::string(1, c)));
  auto done = sets_->Commit(kOurs, {.name = "images",
                                    .tag = "latest",
                                    .manifest = crumbs,
                                    .created_by = "ann@lab.org",
                                    .push = "p"});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kInvalid);
}

TEST_F(DataSetsTest, AProjectHasABoundedNumberOfVersions) {
  for (int i = 0; i < 5; ++i) Pushed("latest", fmt::format("content {}", i));
  Send("one more");
  auto done = Commit("latest", {File("f", "one more")});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("5 versions"));
  Pushed("first", "content 0");
}

// All of it is in memory, and every commit reads it anew.
TEST_F(DataSetsTest, AProjectHasABoundedNumberOfTagsAndOfChunksOfManifests) {
  for (int i = 0; i < 4; ++i) Pushed(fmt::format("t{}", i), "content");
  auto done = Commit("t4", {File("f", "content")});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("4 tags"));
  Pushed("t1", "content");
  std::vector<data::Entry> entries;
  for (int i = 0; i < 10'000; ++i) entries.push_back(File(fmt::format("{:010}", i), "content"));
  const std::string manifest = data::WriteManifest(entries);
  std::vector<data::ChunkId> pieces;
  for (std::size_t at = 0; at < manifest.size(); at += 64 << 10)
    pieces.push_back(Send(manifest.substr(at, 64 << 10)));
  ASSERT_EQ(pieces.size(), 8U);
  done = sets_->Commit(kOurs, {.name = "images", .tag = "t1", .manifest = pieces});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("chunks of manifests"));
}

TEST_F(DataSetsTest, AnUploadThatWasGivenUpGoesAfterADay) {
  const data::ChunkId id = Send("half");
  clock_.Advance(Hours(2));
  sets_->Tidy({});
  EXPECT_TRUE(sets_->Read(kOurs, {&id, 1}));
  clock_.Advance(Days(1));
  sets_->Tidy({});
  EXPECT_FALSE(sets_->Read(kOurs, {&id, 1}));
}

}  // namespace
}  // namespace yard::control
