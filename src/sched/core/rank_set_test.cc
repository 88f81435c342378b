#include "sched/core/rank_set.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"

namespace yard::sched {
namespace {

TEST(RankSet, AgreesWithAnOrderedSet) {
  for (std::int32_t capacity : {1, 63, 64, 65, 5000, 300'000}) {
    RankSet ours(capacity);
    std::set<std::int32_t> reference;
    std::uint64_t state = 7;
    for (int step = 0; step < 4000; ++step) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      const auto rank = static_cast<std::int32_t>((state >> 33) % static_cast<unsigned>(capacity));
      if ((state >> 20) % 3 == 0) {
        ours.Erase(rank);
        reference.erase(rank);
      } else {
        ours.Insert(rank);
        reference.insert(rank);
      }
      const auto next = reference.lower_bound(rank / 2);
      ASSERT_EQ(ours.Next(rank / 2), next == reference.end() ? -1 : *next);
      ASSERT_EQ(ours.size(), static_cast<std::int32_t>(reference.size()));
    }
  }
}

}  // namespace
}  // namespace yard::sched
