#include "api/testing/harness.h"

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

namespace yard::api::testing {
namespace {

TEST(Harness, TheFirstAdministratorMaySeeTheDefaultDepartment) {
  Harness h;
  Response r = h.Admin().Get("/api/v1/org-unit/departments");
  ASSERT_EQ(r.status, 200) << r.body;
  EXPECT_EQ(r.Json().at("departments").at(0).at("name").as_string(), "default");
}

TEST(Harness, AGrantedRoleReachesItsProjectOnly) {
  Harness h;
  ProjectId mine = h.MakeProject("mine");
  ProjectId other = h.MakeProject("other");
  h.Grant("ann@lab.org", "L2 researcher", Scope::Of(mine));
  auto ann = h.As("ann@lab.org");
  EXPECT_EQ(ann.Get("/api/v1/org-unit/projects/" + std::to_string(mine.value)).status, 200);
  EXPECT_EQ(ann.Get("/api/v1/org-unit/projects/" + std::to_string(other.value)).status, 403);
  EXPECT_EQ(ann.Delete("/api/v1/org-unit/projects/" + std::to_string(mine.value)).status, 403);
}

TEST(Harness, AChangeIsCheckedByItsCommandAlone) {
  Harness h;
  std::string one = "/api/v1/org-unit/projects/" + std::to_string(h.MakeProject("mine").value);
  EXPECT_EQ(h.Admin().Delete(one).status, 204);
  EXPECT_EQ(h.Admin().Get(one).status, 404);
}

TEST(Harness, NobodyIsRefused) {
  Harness h;
  EXPECT_EQ(h.Nobody().Get("/api/v1/org-unit/projects").status, 401);
}

}  // namespace
}  // namespace yard::api::testing
