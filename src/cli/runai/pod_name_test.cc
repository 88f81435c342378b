#include "cli/runai/pod_name.h"

#include <gtest/gtest.h>

namespace yard::cli::runai {
namespace {

TEST(PodName, NamesJobAttemptAndRank) {
  std::optional<PodName> pod = ParsePodName("ann-jl-0-2");
  ASSERT_TRUE(pod);
  EXPECT_EQ(pod->job, "ann-jl");
  EXPECT_EQ(pod->attempt, 1);
  EXPECT_EQ(pod->rank, 2);
  EXPECT_EQ(ParsePodName("train-3-0")->attempt, 4);
}

TEST(PodName, OtherNamesAreNone) {
  for (const char* name : {"", "train", "train-0", "-0-0", "train-x-0", "train-0-x", "a--1"})
    EXPECT_FALSE(ParsePodName(name)) << name;
}

}  // namespace
}  // namespace yard::cli::runai
