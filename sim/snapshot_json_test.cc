#include "sim/snapshot_fields.h"

#include <gtest/gtest.h>

#include <cstdlib>

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

// Converts to any field, so that an aggregate tells how many it has.
struct AnyField {
  template <class T>
  operator T() const {  // NOLINT(google-explicit-constructor)
    std::abort();       // nobody makes one
  }
};

template <class T, class... Fields>
consteval std::size_t FieldCount() {
  if constexpr (requires { T{Fields()..., AnyField()}; }) {
    return FieldCount<T, Fields..., AnyField>();
  }
  return sizeof...(Fields);
}

struct Counter {
  void operator()(std::string_view, auto&) { ++fields; }
  std::size_t fields = 0;
};

template <class T>
std::size_t WrittenFields() {
  T value;
  Counter counter;
  Fields(counter, value);
  return counter.fields;
}

// A field that is left out here is lost in every capture, and the replay decides by its default.
TEST(Capture, LeavesNoFieldOut) {
  EXPECT_EQ(WrittenFields<sched::Policy>(), FieldCount<sched::Policy>());
  EXPECT_EQ(WrittenFields<sched::Snapshot>(), FieldCount<sched::Snapshot>());
  EXPECT_EQ(WrittenFields<sched::Node>(), FieldCount<sched::Node>());
  EXPECT_EQ(WrittenFields<sched::Queue>(), FieldCount<sched::Queue>());
  EXPECT_EQ(WrittenFields<sched::QueueShare>(), FieldCount<sched::QueueShare>());
  EXPECT_EQ(WrittenFields<sched::TaskShape>(), FieldCount<sched::TaskShape>());
  EXPECT_EQ(WrittenFields<sched::Reservation>(), FieldCount<sched::Reservation>());
  // Rare fields are written among the others.
  const std::size_t own = FieldCount<sched::Workload>() - 1;
  EXPECT_EQ(WrittenFields<sched::Workload>(), own + FieldCount<sched::Rare>());
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
