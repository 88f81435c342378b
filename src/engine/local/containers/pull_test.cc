#include "engine/local/containers/pull.h"

#include <gtest/gtest.h>

namespace yard::engine::containers {
namespace {

TEST(PullProgress, CountsTheBytesOfAllLayers) {
  PullProgress progress("a:1");
  EXPECT_EQ(progress.Sentence(), "pulling image a:1");
  progress.Feed(R"({"status":"Downloading","progressDetail":{"current":10,"total":100},"id":"x"})"
                "\r\n");
  EXPECT_EQ(progress.Sentence(), "pulling image a:1: 10 %");
  progress.Feed(R"({"status":"Downloading","progressDetail":{"current":70,"total":100},"id":"x"})"
                "\n");
  EXPECT_EQ(progress.Sentence(), "pulling image a:1: 70 %");
  progress.Feed(R"({"status":"Pull complete","id":"x"})"
                "\n");
  EXPECT_EQ(progress.Sentence(), "pulling image a:1: 100 %");
}

TEST(PullProgress, NeverGoesBackWhenAnotherLayerIsMetLater) {
  PullProgress progress("a:1");
  progress.Feed(R"({"status":"Downloading","progressDetail":{"current":50,"total":100},"id":"x"}
{"status":"Downloading","progressDetail":{"current":0,"total":900},"id":"y"}
)");
  EXPECT_EQ(progress.Sentence(), "pulling image a:1: 50 %");
}

TEST(PullProgress, TakesLinesThatComeInPieces) {
  PullProgress progress("a:1");
  progress.Feed(R"({"status":"Downloading","progressDetail":{"cur)");
  progress.Feed(R"(rent":1,"total":4},"id":"x"})");
  EXPECT_EQ(progress.Sentence(), "pulling image a:1");
  progress.Feed("\n");
  EXPECT_EQ(progress.Sentence(), "pulling image a:1: 25 %");
}

TEST(PullProgress, KeepsTheFailureInsideTheStream) {
  PullProgress progress("a:1");
  progress.Feed(
      "nonsense\n{\"errorDetail\":{\"message\":\"manifest unknown\"},"
      "\"error\":\"manifest unknown\"}\n");
  EXPECT_EQ(progress.failure(), "manifest unknown");
}

}  // namespace
}  // namespace yard::engine::containers
