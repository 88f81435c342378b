#include "cli/api_words.h"

#include <gtest/gtest.h>

namespace yard::cli {
namespace {

TEST(ApiWords, FieldsAreTheFlagsThatSetThem) {
  EXPECT_EQ(InOurWords("spec.nodePools: there is no node pool 'x'"),
            "--pool: there is no node pool 'x'");
  EXPECT_EQ(InOurWords("spec.compute.gpuDevicesRequest must be positive"),
            "--gpu must be positive");
}

TEST(ApiWords, AFieldInsideALongerNameStays) {
  EXPECT_EQ(InOurWords("spec.imageThing is odd"), "spec.imageThing is odd");
}

TEST(ApiWords, OfTheOtherProgramAreItsFlags) {
  EXPECT_EQ(WithFlags("spec.compute.gpuPortionRequest must be at most 0.5", Flags::kRunai),
            "--gpu must be at most 0.5");
  EXPECT_EQ(InOurWords("spec.imagePullPolicy: must be Always", Flags::kRunai),
            "--image-pull-policy: must be Always");
}

TEST(ApiWords, RoutesAreTheVerbsThatAskThem) {
  EXPECT_EQ(InOurWords("see GET /api/v1/org-unit/projects for the ids"),
            "see `gpuyard get projects`");
  EXPECT_EQ(InOurWords("see GET /api/v1/k8s/clusters/{clusterId}/node-pools for the names"),
            "see `gpuyard get node-pools`");
}

TEST(ApiWords, ARouteWithoutAVerbIsNoHelp) {
  EXPECT_EQ(InOurWords("send it to /api/v1/nowhere"), "");
}

TEST(ApiWords, SentencesOfOurOwnStay) {
  EXPECT_EQ(InOurWords("see `gpuyard ps -a`"), "see `gpuyard ps -a`");
}

}  // namespace
}  // namespace yard::cli
