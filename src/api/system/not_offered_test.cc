#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;
using testing::Response;

TEST(NotOffered, ListsAreEmptyAndWhatWouldFillThemSaysSo) {
  Harness h;
  EXPECT_EQ(h.Admin().Get("/api/v1/datavolumes").Json().at("datavolumes").as_array().size(), 0U);
  EXPECT_EQ(h.Admin().Get("/api/v1/org-unit/reports/count").Json().at("count"), 0);
  Response refused = h.Admin().Post("/api/v1/datavolumes", R"({"name":"shared"})");
  EXPECT_EQ(refused.status, 501);
  EXPECT_EQ(refused.Json().at("message"), "data volumes are not offered by this server");
  EXPECT_EQ(h.Nobody().Get("/api/v1/subscriptions").status, 401);
}

}  // namespace
}  // namespace yard::api
