#include "serve/auth/api_key.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace yard::serve {
namespace {

http::Request At(std::string target) {
  http::Request request;
  request.target = std::move(target);
  request.headers = {{"x-api-key", "key"}};
  return request;
}

TEST(ApiKey, IsTakenOnTheAddressesOfFarm) {
  EXPECT_EQ(ApiKeyOf(At("/queue/management/jobs/load?filter=x")), "key");
  EXPECT_EQ(ApiKeyOf(At("/farm/lab/queue/management/jobs/save")), "key");
}

TEST(ApiKey, MeansNothingElsewhere) {
  for (std::string_view path : {"/api/v1/workloads", "/lab/model/v1/chat", "/queue", "/farming/x",
                                "/mlflow/lab/api/2.0/mlflow/runs/get"}) {
    EXPECT_EQ(ApiKeyOf(At(std::string(path))), std::nullopt) << path;
  }
}

TEST(ApiKey, StandsBackBehindAnAuthorizationHeader) {
  http::Request request = At("/queue/management/jobs/load");
  request.headers.emplace_back("authorization", "Bearer token");
  EXPECT_EQ(ApiKeyOf(request), std::nullopt);
}

}  // namespace
}  // namespace yard::serve
