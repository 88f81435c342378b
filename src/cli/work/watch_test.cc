#include "cli/work/watch.h"

#include <sstream>

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

namespace yard::cli {
namespace {

TEST(WatchWorkload, WaitsForAServerThatIsAwayAtTheFirstLook) {
  std::ostringstream out;
  std::istringstream in;
  SeededRandom random(1);
  int waits = 0;
  Session session({.out = out, .err = out, .in = in},
                  {.url = "http://127.0.0.1:1",  // nobody listens there
                   .token = "t",
                   .random = random,
                   .wait = [&](Micros) { ++waits; }});
  auto look = [](const json::value&) { return Going::kEnough; };
  auto stopped = [&] { return waits > 20; };
  EXPECT_FALSE(WatchWorkload(session, "w", look, stopped).has_value());
  EXPECT_GT(waits, 20);
}

}  // namespace
}  // namespace yard::cli
