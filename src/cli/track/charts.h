// Charts of metrics in the terminal, one line for each run.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "cli/session.h"
#include "client/client.h"

namespace yard::cli {

enum class PlotAxis { kStep, kTime };

Result<PlotAxis> ParsePlotAxis(const std::string& text);

// Draws one metric of the runs in one chart, with the runs' names below it if there are several.
client::Outcome<void> PlotMetric(Session& session, client::Client& server,
                                 const std::vector<json::value>& runs, const std::string& metric,
                                 PlotAxis axis);

}  // namespace yard::cli
