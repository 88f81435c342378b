#include "store/datasets/dataset_store.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "base/random.h"

namespace yard::store {
namespace {

namespace fs = std::filesystem;
using data::ChunkId;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Time kEarly{1'000};
constexpr Time kLate{2'000};
constexpr Time kAll{1'000'000};

class Chunks : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/gyd-XXXXXX";
    folder_ = ::mkdtemp(name);
    Open();
  }
  void TearDown() override {
    store_.reset();
    fs::remove_all(folder_);
  }
  void Open() {
    store_.reset();
    auto opened = OpenDataSets(folder_ + "/store");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
  }

  static std::string Noise(std::uint64_t seed, std::size_t size = 100'000) {
    SeededRandom random(seed);
    std::string bytes(size, '\0');
    random.Fill({reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
    return bytes;
  }
  ChunkId Put(std::string_view content, Time now = kEarly) {
    std::string bytes;
    data::AppendPacked(bytes, data::IdOf(content), content);
    EXPECT_TRUE(store_->Put(*data::ReadFrames(bytes), now));
    return data::IdOf(content);
  }
  static WalkChunks Uses(std::vector<std::pair<ChunkId, std::uint64_t>> chunks) {
    return [chunks](const UseChunk& use) -> Status {
      for (const auto& [id, length] : chunks) YARD_TRY(use(id, length));
      return {};
    };
  }
  static DataVersion Version(std::string_view seed) {
    return {.id = data::IdOf(seed), .name = "images", .manifest = {data::IdOf("m")}};
  }
  std::uintmax_t OnDisk() const {
    std::uintmax_t sum = 0;
    for (const auto& file : fs::directory_iterator(folder_ + "/store/packs"))
      sum += file.file_size();
    return sum;
  }
  std::vector<std::string> TagNames() {
    std::vector<std::string> names;
    const auto tags = store_->Tags();
    for (const DataTag& tag : *tags)
      names.push_back(tag.tag + "=" + data::Hex(tag.version).substr(0, 4));
    return names;
  }

  std::string folder_;
  std::unique_ptr<DataSetStore> store_;
};

TEST_F(Chunks, AreThereAfterARestart) {
  const ChunkId id = Put("content");
  const ChunkId other = data::IdOf("other");
  Open();
  EXPECT_EQ(*store_->Read(id), "content");
  const ChunkId both[] = {id, other};
  EXPECT_THAT(*store_->Missing(both, kEarly), ElementsAre(other));
  EXPECT_EQ(store_->Read(other).error().code, Code::kNotFound);
}

TEST_F(Chunks, TheSameContentIsStoredOnce) {
  Put(Noise(1));
  const auto before = OnDisk();
  Put(Noise(1));
  EXPECT_EQ(OnDisk(), before);
}

TEST_F(Chunks, AVersionNeedsAllOfItsChunks) {
  const ChunkId here = Put("here");
  const ChunkId gone = data::IdOf("gone");
  auto missing = store_->Commit(Version("1"), "latest", Uses({{here, 4}, {gone, 4}}));
  ASSERT_TRUE(missing);
  EXPECT_THAT(*missing, ElementsAre(gone));
  EXPECT_THAT(*store_->Versions(), IsEmpty());
  EXPECT_THAT(*store_->Tags(), IsEmpty());
  // What was counted for it counts no more.
  EXPECT_TRUE(store_->Sweep(kAll));
  EXPECT_FALSE(store_->Read(here));
}

TEST_F(Chunks, ALengthThatIsNotTheChunksIsRefused) {
  const ChunkId id = Put("four");
  EXPECT_EQ(store_->Commit(Version("1"), "latest", Uses({{id, 5}})).error().code, Code::kInvalid);
}

TEST_F(Chunks, TagsMoveAndVersionsStay) {
  const ChunkId id = Put("x");
  ASSERT_TRUE(store_->Commit(Version("1"), "latest", Uses({{id, 1}})));
  ASSERT_TRUE(store_->Commit(Version("2"), "latest", Uses({{id, 1}})));
  ASSERT_TRUE(store_->Commit(Version("1"), "old", Uses({{id, 1}})));
  const std::string one = data::Hex(data::IdOf("1")).substr(0, 4);
  const std::string two = data::Hex(data::IdOf("2")).substr(0, 4);
  EXPECT_THAT(TagNames(), ElementsAre("latest=" + two, "old=" + one));
  EXPECT_EQ(store_->Versions()->size(), 2U);
  ASSERT_TRUE(store_->RemoveVersion(Version("1"), Uses({{id, 1}})));
  ASSERT_TRUE(store_->Sweep(kAll));
  EXPECT_TRUE(store_->Read(id)) << "the other version still uses it";
  ASSERT_TRUE(store_->RemoveVersion(Version("2"), Uses({{id, 1}})));
  ASSERT_TRUE(store_->Sweep(kAll));
  EXPECT_FALSE(store_->Read(id));
}

TEST_F(Chunks, ASweepFreesSpaceAndMovesWhatIsUsed) {
  const ChunkId kept = Put(Noise(1));
  std::vector<std::pair<ChunkId, std::uint64_t>> dropped;
  for (std::uint64_t i = 2; i < 90; ++i) dropped.emplace_back(Put(Noise(i, 1'000'000)), 1'000'000);
  ASSERT_TRUE(store_->Commit(Version("1"), "latest", Uses({{kept, 100'000}})));
  ASSERT_TRUE(store_->Commit(Version("2"), "large", Uses(dropped)));
  ASSERT_GT(OnDisk(), 80'000'000U);
  ASSERT_TRUE(store_->RemoveVersion(Version("2"), Uses(dropped)));
  auto freed = store_->Sweep(kAll);
  ASSERT_TRUE(freed);
  EXPECT_GT(*freed, 60'000'000);
  EXPECT_LT(OnDisk(), 30'000'000U);
  EXPECT_EQ(*store_->Read(kept), Noise(1));
  Open();
  EXPECT_EQ(*store_->Read(kept), Noise(1));
  EXPECT_EQ(*store_->Read(Put("goes on")), "goes on");
}

TEST_F(Chunks, WhatAPushWasToldOfOutlivesASweep) {
  const ChunkId old = Put("old");
  const ChunkId told = Put("told");
  ASSERT_TRUE(store_->Missing({&told, 1}, kLate));
  ASSERT_TRUE(store_->Sweep(kLate));
  EXPECT_FALSE(store_->Read(old));
  EXPECT_TRUE(store_->Read(told));
}

TEST_F(Chunks, ADamagedOneIsNamedAndMendedByTheNextPush) {
  const std::string content = Noise(7);
  const ChunkId id = Put(content);
  ASSERT_TRUE(store_->Commit(Version("1"), "latest", Uses({{id, content.size()}})));
  const fs::path pack = fs::directory_iterator(folder_ + "/store/packs")->path();
  std::fstream(pack, std::ios::in | std::ios::out | std::ios::binary).seekp(500).put('!');
  auto read = store_->Read(id);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr(data::Hex(id)));
  EXPECT_THAT(read.error().message, HasSubstr(pack.filename().string()));
  EXPECT_THAT(*store_->Missing({&id, 1}, kLate), ElementsAre(id));
  Put(content, kLate);
  EXPECT_EQ(*store_->Read(id), content);
  ASSERT_TRUE(store_->Sweep(kAll));
  EXPECT_EQ(*store_->Read(id), content) << "its version still uses it";
}

TEST_F(Chunks, OnlyOneProcessHasThem) {
  EXPECT_EQ(OpenDataSets(folder_ + "/store").error().code, Code::kConflict);
}

}  // namespace
}  // namespace yard::store
