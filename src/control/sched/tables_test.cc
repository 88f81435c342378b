#include "control/sched/tables.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace yard::control {
namespace {

TEST(SchedTables, APlaceComesBackAsItWas) {
  SchedTables tables;
  const TaskPlace place{.node = "a", .gpus = {"GPU-2", "GPU-1"}, .each = MilliGpu(500)};
  const TaskPlace back = PlaceOf(tables, PlacementOf(tables, place));
  EXPECT_EQ(back.node, "a");
  EXPECT_EQ(back.gpus, place.gpus);
  EXPECT_EQ(back.each, MilliGpu(500));
}

TEST(SchedTables, GpusOfANodeBeyondTheSixtyFourthAreLeftOut) {
  SchedTables tables;
  TaskPlace place{.node = "a", .each = MilliGpu(1000)};
  for (int gpu = 0; gpu < 64; ++gpu) place.gpus.push_back(fmt::format("GPU-{}", gpu));
  const std::vector<std::string> most = place.gpus;
  for (int gpu = 64; gpu < 70; ++gpu) place.gpus.push_back(fmt::format("GPU-{}", gpu));
  EXPECT_EQ(PlaceOf(tables, PlacementOf(tables, place)).gpus, most);
}

}  // namespace
}  // namespace yard::control
