#include "base/strong.h"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace yard {
namespace {

using NodeId = StrongId<struct NodeTag>;
using ProjectId = StrongId<struct ProjectTag>;
using Apples = Quantity<struct AppleTag>;

TEST(StrongId, OfOneKindIsNotOneOfAnother) {
  static_assert(!std::is_convertible_v<NodeId, ProjectId>);
  static_assert(!std::is_convertible_v<std::int64_t, NodeId>);
  EXPECT_LT(NodeId(1), NodeId(2));
}

TEST(StrongId, IsAKeyOfHashTables) {
  std::unordered_set<NodeId> ids = {NodeId(1), NodeId(2), NodeId(1)};
  EXPECT_EQ(ids.size(), 2U);
}

TEST(Quantity, AddsAndScales) {
  EXPECT_EQ(Apples(2) + Apples(3) - Apples(1), Apples(4));
  EXPECT_EQ(Apples(2) * 3, Apples(6));
}

}  // namespace
}  // namespace yard
