// The verbs about tracked runs can write Parquet as well: `-o parquet`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/session.h"
#include "cli/track/parquet.h"
#include "cli/verb.h"
#include "client/client.h"

namespace yard::cli {

// -o with every format of other verbs, and "parquet", which sets `parquet`.
void AddOutput(Verb& verb, bool& parquet);

// To the standard output, which must not be a terminal.
client::Outcome<void> PrintParquet(Session& session, const std::vector<ParquetColumn>& columns);

// A row for each run. Without `fields` every parameter, metric and tag is a column.
std::vector<ParquetColumn> RunColumns(const std::vector<json::value>& runs,
                                      std::vector<std::string> fields);

// A row for each point of histories, which go by the names of their metrics.
using NamedHistory = std::pair<std::string, json::array>;
std::vector<ParquetColumn> PointColumns(const std::vector<NamedHistory>& histories);

}  // namespace yard::cli
