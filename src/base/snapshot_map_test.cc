#include "base/snapshot_map.h"

#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace yard {
namespace {

using Map = SnapshotMap<int, int>;

std::vector<std::pair<int, int>> Entries(const Map& map) {
  std::vector<std::pair<int, int>> entries;
  map.Each([&](int key, int value) { entries.emplace_back(key, value); });
  return entries;
}

TEST(SnapshotMap, ACopyDoesNotSeeLaterChanges) {
  Map map;
  map.Put(1, 10);
  Map before = map;
  map.Put(1, 11);
  map.Put(2, 20);
  EXPECT_EQ(*before.Find(1), 10);
  EXPECT_EQ(before.Find(2), nullptr);
  EXPECT_EQ(*map.Find(1), 11);
}

TEST(SnapshotMap, AssigningAnOldCopyRollsBack) {
  Map map;
  for (int i = 0; i < 2000; ++i) map.Put(i, i);
  Map saved = map;
  for (int i = 0; i < 2000; i += 3) map.Erase(i);
  map = saved;
  EXPECT_EQ(map.size(), 2000U);
  EXPECT_EQ(*map.Find(3), 3);
}

TEST(SnapshotMap, VisitsFromAKeyAndStopsWhenTold) {
  Map map;
  for (int i = 0; i < 3000; ++i) map.Put(i, i);
  std::vector<int> seen;
  map.EachFrom(1500, [&](int key, int) {
    seen.push_back(key);
    return seen.size() < 3;
  });
  EXPECT_EQ(seen, (std::vector<int>{1500, 1501, 1502}));
}

TEST(SnapshotMap, BehavesLikeAnOrderedMapUnderRandomChangesAndSnapshots) {
  SeededRandom random(42);
  Map map;
  std::map<int, int> model;
  std::vector<std::pair<Map, std::map<int, int>>> snapshots;
  for (int step = 0; step < 20'000; ++step) {
    int key = static_cast<int>(random.Below(3000));
    if (random.Below(3) == 0) {
      EXPECT_EQ(map.Erase(key), model.erase(key) == 1);
    } else {
      map.Put(key, step);
      model[key] = step;
    }
    if (step % 2500 == 0) snapshots.emplace_back(map, model);
  }
  snapshots.emplace_back(map, model);
  for (const auto& [copy, expected] : snapshots) {
    EXPECT_EQ(copy.size(), expected.size());
    EXPECT_EQ(Entries(copy), (std::vector<std::pair<int, int>>(expected.begin(), expected.end())));
  }
}

}  // namespace
}  // namespace yard
