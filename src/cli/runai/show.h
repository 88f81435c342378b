// Asking for what `list` and `describe` show.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cli/runai/work.h"
#include "cli/session.h"
#include "cli/table.h"
#include "client/client.h"

namespace yard::cli::runai {

struct ListArguments {
  std::string project;
  std::string status;
  std::string type;
  std::string framework;
  bool everywhere = false;
  std::int64_t limit = 0;
  std::int64_t offset = 0;
};
// Of the project in use, unless it is to be everywhere.
client::Outcome<std::vector<json::value>> ListJobs(Session& session,
                                                   const ListArguments& arguments);

// A workload's pods and events; empty where there are none.
struct Details {
  std::vector<json::value> pods;
  std::vector<json::value> events;
};
client::Outcome<Details> DetailsOf(Session& session, const json::value& workload);

// A type or framework that is not its own would mean other work; empty: any.
client::Outcome<void> RequireType(const json::value& workload, const std::string& type);
client::Outcome<void> RequireFormat(const std::string& said,
                                    std::initializer_list<std::string_view> known);

// --json, --yaml, --table, --no-headers of the second grammar.
struct NewFormat {
  bool json = false;
  bool yaml = false;
  bool table = false;
  bool no_headers = false;
};
// As the format says; the table is shown unless it says otherwise.
client::Outcome<void> PrintNew(Session& session, const NewFormat& format,
                               const std::vector<json::value>& objects, const Table& table);
void AddNewFormat(Verb& verb, NewFormat& format);

}  // namespace yard::cli::runai
