#include "control/data/datasets.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

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
    auto opened =
        DataSets::Open({.folder = folder_ + "/data", .clock = clock_, .open = store::OpenDataSets});
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
  DataSets::Removal Rm(std::string which) { return {"images", std::move(which), {}}; }

  std::string folder_;
  ManualClock clock_{Time{1'800'000'000'000'000}};
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
  auto view = sets_->View(kOurs, one);
  ASSERT_TRUE(view) << view.error().message;
  const std::string path = sets_->views() + "/" + *view;
  EXPECT_EQ(ReadFileOrEmpty(path + "/f"), "one");
  EXPECT_EQ(ReadFileOrEmpty(sets_->views() + "/" + *sets_->View(kOurs, two) + "/f"), "two");
  struct stat about{};
  ASSERT_EQ(::stat((folder_ + "/data").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 077, 0U) << "others pass only by a mount";
  clock_.Advance(Days(8));
  sets_->Tidy({{kOurs, one.id}});
  EXPECT_TRUE(fs::exists(path));
  sets_->Tidy({});
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(sets_->View(kOurs, one)) << "made again when it is asked for";
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
