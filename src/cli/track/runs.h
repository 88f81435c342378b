// Tracked runs from the server, and as rows for people.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "cli/session.h"
#include "cli/table.h"
#include "client/client.h"

namespace yard::cli {

// By id, by the beginning of an id, or by name. Several of one name: an error that lists them.
client::Outcome<json::value> FindRun(client::Client& server, const std::string& word);

// A metric's value as people read it.
std::string MetricText(const json::value& value);

// The table of a list. `columns` are further fields, such as metrics.loss; without any, the metrics
// that most runs have.
Table RunTable(const std::vector<json::value>& runs, std::vector<std::string> columns, Time now);

// Runs side by side: a row for each parameter that differs and for each metric.
Table CompareTable(const std::vector<json::value>& runs);

}  // namespace yard::cli
