// What every store promises (store/store.h), tried on each implementation.
#include "store/store.h"

#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "store/memory_store.h"
#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/store_fixture.h"

namespace yard::store {
namespace {

enum class Kind { kMemory, kSqlite };

class StoreContract : public testing::TestWithParam<Kind> {
 protected:
  StoreContract() {
    if (GetParam() == Kind::kMemory) {
      store_ = std::make_unique<MemoryStore>();
    } else {
      store_ = MustOpen(directory_.path());
    }
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(All, StoreContract, testing::Values(Kind::kMemory, Kind::kSqlite),
                         [](const auto& param) {
                           return param.param == Kind::kMemory ? "Memory" : "Sqlite";
                         });

TEST_P(StoreContract, LoadsTheNewestVersionOfEveryLiveObject) {
  Workload first = MakeWorkload(1, "first");
  Workload second = MakeWorkload(2, "second");
  ASSERT_TRUE(store_->Commit(std::vector{Creation(first), Creation(second)}));
  Workload renamed = first;
  renamed.name = "renamed";
  ASSERT_TRUE(store_->Commit(std::vector{Update(first, renamed), Deletion(second)}));
  auto live = LoadAll(*store_);
  ASSERT_EQ(live.size(), 1u);
  EXPECT_EQ(NameOf(live.begin()->second), "renamed");
}

TEST_P(StoreContract, NumbersEveryChangeAndNote) {
  Entry entry = Creation(MakeWorkload(1, "first"));
  entry.notes.push_back({.action = "sign-in", .entity_type = "user"});
  EXPECT_EQ(store_->Commit(std::vector{entry}), 2);
  EXPECT_EQ(store_->last_sequence(), 2);
}

TEST_P(StoreContract, ListsTheEventsOfOneWorkloadNewestFirst) {
  for (int i = 0; i < 3; ++i) {
    Entry entry{.at = Time{i}};
    entry.events.push_back(MakeEvent(1, "event " + std::to_string(i)));
    entry.events.push_back(MakeEvent(2, "of another workload"));
    ASSERT_TRUE(store_->Commit(std::vector{entry}));
  }
  auto events = store_->ReadEvents(MakeWorkloadId(1), 1, 5);
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 2u);
  EXPECT_EQ(events->front().message, "event 1");
  EXPECT_EQ(events->back().message, "event 0");
}

}  // namespace
}  // namespace yard::store
