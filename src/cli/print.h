// Objects with a table of their own, in the format that was asked for with -o.
#pragma once

#include <vector>

#include "base/json.h"
#include "cli/session.h"
#include "cli/table.h"
#include "client/client.h"

namespace yard::cli {

// JSON and YAML show the objects, everything else the table; -o name its first column.
client::Outcome<void> PrintTable(Session& session, const std::vector<json::value>& objects,
                                 const Table& table);

}  // namespace yard::cli
