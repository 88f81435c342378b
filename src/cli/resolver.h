// Turns the names in manifests into the ids the API wants.
//
// Looks each name up once. A blind resolver asks nobody and gives stand-ins, so that a file's
// shape can be checked before the first request. One thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "client/client.h"

namespace yard::cli {

class Resolver {
 public:
  Resolver() = default;  // blind
  explicit Resolver(client::Client& client) : client_(&client) {}

  bool blind() const { return client_ == nullptr; }
  client::Client& client() { return *client_; }

  // The id of an object of a kind (its plural), by name.
  client::Outcome<std::string> Id(std::string_view kind, const std::string& name);
  // The same within a cluster, for kinds whose names repeat: node pools and departments.
  client::Outcome<std::string> IdIn(std::string_view kind, const std::string& name,
                                    const std::string& cluster_id);
  // The cluster's id; an empty name is the server's own.
  client::Outcome<std::string> ClusterId(const std::string& name);
  // The object itself, or null if there is none of that name.
  client::Outcome<json::value> Find(std::string_view kind, const std::string& name);

  // For dry runs: an object that an earlier document would make.
  void Promise(std::string_view kind, const std::string& name);

  // The project that metadata may leave out.
  std::string default_project;

 private:
  client::Client* client_ = nullptr;
  std::map<std::pair<std::string, std::string>, std::string> known_;
};

}  // namespace yard::cli
