#include "sim/snapshot_fields.h"

#include <gtest/gtest.h>

#include "sched/schedule.h"
#include "sched/testing/random_cluster.h"
#include "sim/snapshot_json.h"

namespace yard::sim {
namespace {

TEST(Capture, ReadBackGivesTheSameTextAndTheSamePlan) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const sched::RandomCluster cluster = sched::MakeRandomCluster(seed);
    const std::string text = WriteCapture({cluster.snapshot, cluster.policy});
    const auto capture = ReadCapture(text);
    ASSERT_TRUE(capture.has_value()) << capture.error().message;
    ASSERT_EQ(WriteCapture(*capture), text);
    ASSERT_EQ(*sched::Schedule(capture->snapshot, capture->policy),
              *sched::Schedule(cluster.snapshot, cluster.policy));
  }
}

TEST(Capture, AWrongFieldIsNamedByItsPath) {
  const auto message = [](std::string_view text) {
    const auto capture = ReadCapture(text);
    return capture ? std::string("good") : capture.error().message;
  };
  EXPECT_EQ(message(R"({"snapshot": {"nodes": [{"cpu": "many"}]}})"),
            "snapshot.nodes[0].cpu: is not a whole number in range");
  EXPECT_EQ(message(R"({"policy": {"fairness": "none"}})"),
            "policy.fairness: is none of fairShare, nthGpu, decayedShare, fifo");
  EXPECT_EQ(message(R"({"snapshot": {"nods": []}})"), "snapshot.nods: is unknown");
  EXPECT_EQ(message("[]"), "document: is not an object");
}

}  // namespace
}  // namespace yard::sim
