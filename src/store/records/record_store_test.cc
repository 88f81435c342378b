#include "store/records/record_store.h"

#include <map>

#include <gtest/gtest.h>

#include "store/sqlite/store_fixture.h"

namespace yard::store {
namespace {

std::map<std::string, std::string> LoadAll(RecordStore& store) {
  std::map<std::string, std::string> all;
  Status loaded =
      store.Load([&](std::string_view kind, std::string_view id, std::string_view body) {
        all[std::string(kind) + " " + std::string(id)] = body;
        return Status{};
      });
  EXPECT_TRUE(loaded);
  return all;
}

TEST(RecordStore, KeepsReplacesAndForgets) {
  TemporaryDirectory folder;
  {
    auto store = OpenRecords(folder.path());
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->Write(
        std::vector<RecordChange>{{"run", "a", "1"}, {"run", "b", "2"}, {"experiment", "a", "3"}}));
    ASSERT_TRUE(
        (*store)->Write(std::vector<RecordChange>{{"run", "a", "4"}, {"run", "b", std::nullopt}}));
  }
  auto store = OpenRecords(folder.path());
  ASSERT_TRUE(store);
  EXPECT_EQ(LoadAll(**store),
            (std::map<std::string, std::string>{{"run a", "4"}, {"experiment a", "3"}}));
}

TEST(RecordStore, HasOneOwner) {
  TemporaryDirectory folder;
  auto store = OpenRecords(folder.path());
  ASSERT_TRUE(store);
  EXPECT_EQ(OpenRecords(folder.path()).error().code, Code::kConflict);
}

TEST(RecordStore, ABackupIsAStoreAgain) {
  TemporaryDirectory folder;
  TemporaryDirectory other;
  auto store = OpenRecords(folder.path());
  ASSERT_TRUE(store);
  ASSERT_TRUE((*store)->Write(std::vector<RecordChange>{{"run", "a", "1"}}));
  ASSERT_TRUE((*store)->Backup(other.path() + "/records.db"));
  auto copy = OpenRecords(other.path());
  ASSERT_TRUE(copy) << copy.error().message;
  EXPECT_EQ(LoadAll(**copy), (std::map<std::string, std::string>{{"run a", "1"}}));
}

}  // namespace
}  // namespace yard::store
