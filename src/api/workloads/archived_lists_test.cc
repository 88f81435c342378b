// Lists over work in memory and in the archive: one list for people.
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"
#include "base/check.h"
#include "control/state/state.h"

namespace yard::api {
namespace {

class ArchivedLists : public ::testing::Test {
 protected:
  ArchivedLists() {
    vision_ = h_.MakeProject("vision");
    speech_ = h_.MakeProject("speech");
    for (const char* name : {"b", "d", "f"}) Put(name, vision_, Life::kCompleted);
    Put("x", speech_, Life::kFailed);
    h_.clock().Advance(Minutes(1));
    h_.service().MoveToArchive(h_.clock().Now());
    for (const char* name : {"a", "c", "e"}) Put(name, vision_, Life::kWaiting);
    EXPECT_EQ(h_.service().Read()->archived(), 4);
  }

  void Put(const std::string& name, ProjectId project, Life life) {
    h_.clock().Advance(Seconds(1));  // ids stand in the order of time
    Status put = h_.service().WriteAndWait(control::SystemPrincipal(), [&](control::Txn& txn) {
      Workload workload;
      workload.id = WorkloadId{txn.NewUuid()};
      workload.name = name;
      workload.type = WorkloadType::kTraining;
      workload.project = project;
      workload.department = txn.state().Find<Project>(project)->department;
      workload.cluster = h_.cluster();
      workload.life = life;
      workload.stamp = txn.NewStamp();
      ids_[name] = FormatUuid(workload.id.value);
      txn.Put(std::move(workload));
      return Status{};
    });
    YARD_CHECK(put.has_value());
  }

  // The names of a page, and how many there are.
  std::string Names(const std::string& query, std::string_view who = testing::kAdmin) {
    testing::Response r = h_.As(who).Get("/api/v1/workloads?" + query);
    if (r.status != 200) return r.body;
    std::string names;
    const json::value page = r.Json();
    for (const json::value& one : page.at("workloads").as_array()) {
      names += std::string(one.at("name").as_string()) + " ";
    }
    for (const http::Header& header : r.headers) {
      if (header.first == "Gpuyard-Total") names += "of " + header.second;
    }
    return names;
  }

  testing::Harness h_;
  ProjectId vision_;
  ProjectId speech_;
  std::map<std::string, std::string> ids_;
};

TEST_F(ArchivedLists, StandInTheOrderOfTheirMaking) {
  EXPECT_EQ(Names(""), "b d f x a c e of 7");
  EXPECT_EQ(Names("offset=3&limit=2"), "x a of 7");
}

TEST_F(ArchivedLists, AreSortedAndPagedAsOne) {
  EXPECT_EQ(Names("sortBy=name"), "a b c d e f x of 7");
  EXPECT_EQ(Names("sortBy=name&sortOrder=desc&limit=3"), "x f e of 7");
  for (int offset = 0; offset < 7; ++offset) {
    EXPECT_EQ(Names(fmt::format("sortBy=name&offset={}&limit=1", offset)),
              fmt::format("{} of 7", "abcdefx"[offset]));
  }
}

TEST_F(ArchivedLists, AreFilteredSearchedAndCountedAsOne) {
  EXPECT_EQ(Names("filterBy=phase==Completed"), "b d f of 3");
  EXPECT_EQ(Names("filterBy=projectName==speech"), "x of 1");
  EXPECT_EQ(Names("filterBy=projectName==vision,name%3E=d&sortBy=name"), "d e f of 3");
  EXPECT_EQ(Names("search=fail"), "x of 1");
  EXPECT_EQ(Names("search=SPEECH"), "x of 1");
  testing::Response count = h_.Admin().Get("/api/v1/workloads/count?filterBy=phase!=Pending");
  EXPECT_EQ(count.body, R"({"count":4})");
}

TEST_F(ArchivedLists, ShowOnlyWhatTheCallerMaySee) {
  h_.Grant("ann@lab.org", "L1 researcher", Scope::Of(speech_));
  EXPECT_EQ(Names("", "ann@lab.org"), "x of 1");
}

TEST_F(ArchivedLists, AndSingleWorkloadsAreShownAndDeleted) {
  const std::string target = "/api/v1/workloads/" + ids_["x"];
  EXPECT_EQ(h_.Admin().Get(target).status, 200);
  EXPECT_LT(h_.Admin().Delete("/api/v1/workloads/trainings/" + ids_["x"]).status, 300);
  EXPECT_EQ(Names("search=speech"), "of 0");
  EXPECT_EQ(Names("deleted=true"), "x of 1");
  EXPECT_EQ(h_.service().Read()->archived(), 3);
}

// Arrays are one row each, whose items lie partly in memory and partly in the archive.
class FoldedLists : public ::testing::Test {
 protected:
  FoldedLists() {
    vision_ = h_.MakeProject("vision");
    h_.Grant("bob@lab.org", "L1 researcher", Scope::Of(h_.MakeProject("speech")));
    PutItems(0, 3, Life::kCompleted);
    PutOne("old", Life::kFailed, {});
    h_.clock().Advance(Minutes(1));
    h_.service().MoveToArchive(h_.clock().Now());
    h_.clock().Advance(Days(2));
    PutItems(3, 5, Life::kWaiting);
    PutOne("new", Life::kWaiting, {});
  }

  void PutItems(int first, int end, Life life) {
    for (int i = first; i < end; ++i) {
      PutOne(fmt::format("sweep-{}", i), life, ArrayItem{.id = "a1", .index = i, .size = 5});
    }
  }
  void PutOne(const std::string& name, Life life, std::optional<ArrayItem> item) {
    h_.clock().Advance(Seconds(1));
    Status put = h_.service().WriteAndWait(control::SystemPrincipal(), [&](control::Txn& txn) {
      Workload workload;
      workload.id = WorkloadId{txn.NewUuid()};
      workload.name = name;
      workload.type = WorkloadType::kTraining;
      workload.project = vision_;
      workload.department = txn.state().Find<Project>(vision_)->department;
      workload.cluster = h_.cluster();
      workload.life = life;
      workload.rules.array = std::move(item);
      if (life != Life::kWaiting) workload.completed_at = h_.clock().Now();
      workload.stamp = txn.NewStamp();
      txn.Put(std::move(workload));
      return Status{};
    });
    YARD_CHECK(put.has_value());
  }
  json::value Folded(const std::string& query, std::string_view who = testing::kAdmin) {
    testing::Response r = h_.As(who).Get("/api/v1/workloads/folded?" + query);
    EXPECT_EQ(r.status, 200) << r.body;
    return r.Json();
  }
  static std::string Names(const json::value& page) {
    std::string names;
    for (const json::value& one : page.at("workloads").as_array())
      names += std::string(one.at("name").as_string()) + " ";
    return names;
  }

  testing::Harness h_;
  ProjectId vision_;
};

TEST_F(FoldedLists, SumAnArrayUpOverMemoryAndArchive) {
  ASSERT_GT(h_.service().Read()->archived(), 0U);
  const json::value page = Folded("");
  EXPECT_EQ(Names(page), "sweep-0 old new ");
  ASSERT_EQ(page.at("arrays").as_array().size(), 1U);
  const json::value& sum = page.at("arrays").at(0);
  EXPECT_EQ(sum.at("items"), 5);
  EXPECT_EQ(sum.at("firstItem"), page.at("workloads").at(0).at("id"));
  EXPECT_EQ(json::serialize(sum.at("phases")), R"({"Completed":3,"Pending":2})");
}

TEST_F(FoldedLists, LeaveOutWhatEndedLongAgo) {
  const json::value page = Folded("endedAfter=" + FormatRfc3339(h_.clock().Now() - Days(1)));
  EXPECT_EQ(Names(page), "sweep-3 new ");
  EXPECT_EQ(page.at("arrays").at(0).at("items"), 2);
  EXPECT_EQ(h_.Admin().Get("/api/v1/workloads/folded?endedAfter=yesterday").status, 400);
}

TEST_F(FoldedLists, ArePagedByRowsAndFilteredByItems) {
  const json::value first = Folded("limit=2");
  EXPECT_EQ(Names(first), "sweep-0 old ");
  EXPECT_EQ(first.at("next"), 2);
  EXPECT_EQ(Names(Folded("limit=2&offset=2")), "new ");
  EXPECT_EQ(Names(Folded("filterBy=phase==Pending")), "sweep-3 new ");
  EXPECT_EQ(h_.Admin().Get("/api/v1/workloads/folded?sortBy=name").status, 400);
}

TEST_F(FoldedLists, HoldNothingOfAProjectOutOfSight) {
  const json::value page = Folded("", "bob@lab.org");
  EXPECT_EQ(Names(page), "");
  EXPECT_TRUE(page.at("arrays").as_array().empty());
}

}  // namespace
}  // namespace yard::api
