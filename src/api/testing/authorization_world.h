// A tenant with one of everything in three places, for the authorisation tests.
//
// Ours is the project that requests are about; next door is a project of another department in
// the same cluster; far away is one of another cluster. Every role is held by a caller of its
// own at each Position. What lies in a place carries the place's mark in its name.
// One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/handler.h"
#include "api/testing/authorization_bodies.h"
#include "api/testing/authorization_rules.h"
#include "api/testing/harness.h"

namespace yard::api::testing {

struct Place {
  std::string mark;          // in the names of what lives in the project or department
  std::string cluster_mark;  // in the names of the cluster and its machines
  std::string cluster = {};
  std::string department = {};
  std::string project = {};
  std::map<std::string, std::string, std::less<>> targets = {};  // by collection: one object's id
  std::vector<std::string> ids = {};                             // of what lives in the project
  std::vector<std::string> cluster_ids = {};                     // of the cluster and its machines
};

struct Request {
  std::string target;
  std::string body;
};

class World {
 public:
  World();

  Harness& harness() { return h_; }
  const Place& ours() const { return ours_; }
  // Who holds the role there.
  static std::string CallerAt(const Role& role, Position position);

  // A valid request of the route about something of ours that exists. Nothing if the world does
  // not know what a part of its path or query means.
  std::optional<Request> RequestFor(const Route& route);
  // To be told when a request was carried out: what it deleted is not there for the next one.
  void Spend(const Route& route);

  // One more of everything in our project and department, or in our cluster.
  void GrowProject();
  void GrowCluster();

  // Which of our things an answer names; empty: none.
  std::string TraceOf(std::string_view body, Judged judged) const;

 private:
  Place MakePlace(Place place);
  void Seed(Place& place);
  void GrantEverybody();
  // Makes one object over the collection's own route and gives its id.
  std::string Make(std::string_view collection, Place& place);
  // What a user has made for themselves.
  std::string MakeOwn(std::string_view collection, Place& place);
  void GrantViewer(std::string_view type, std::string_view subject, const Place& place);
  std::string Post(std::string_view path, std::string body);
  void PutPolicy(std::string_view path, const Place& place);

  // Quotas in the default pool of the place's cluster.
  std::string QuotasIn(const Place& place) const;
  Fields FieldsFor(const Route& route, Place& place);
  std::string TargetIn(std::string_view collection, Place& place);
  std::string VictimOf(std::string_view collection);
  // A trial of our study that runs.
  std::string NewTrial();
  std::optional<std::string> PathFor(const Route& route);
  std::optional<std::string> Segment(const Route& route, std::string_view collection,
                                     std::string_view name);
  std::optional<std::string> QueryFor(const Route& route);

  Harness h_;
  Place ours_;
  Place next_door_;
  Place far_away_;
  std::string reader_;                                       // a role that everybody holds
  std::map<std::string, std::string, std::less<>> victims_;  // by collection
  std::map<std::string, bool, std::less<>> policies_;        // by path: whether ours is there
  int made_ = 0;
};

// The route that makes things in a collection; stops the test program if there is none.
const Route& MakerOf(std::string_view collection);

}  // namespace yard::api::testing
