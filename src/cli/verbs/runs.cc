// runs, compare, metrics: what programs have logged.
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/print.h"
#include "cli/resolver.h"
#include "cli/track/charts.h"
#include "cli/track/export.h"
#include "cli/track/reports.h"
#include "cli/track/runs.h"
#include "cli/track/verbs.h"
#include "cli/verb.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr std::size_t kMostPlots = 4;
constexpr std::int64_t kPage = 500;  // as many runs as one answer holds

struct RunsArguments {
  std::vector<std::string> words;
  std::string project;
  std::string experiment;
  std::string filter;
  std::string sort;
  std::vector<std::string> columns;
  std::int64_t limit = 20;
  bool parquet = false;
};

using Query = std::vector<std::pair<std::string, std::string>>;

Outcome<Query> ListQuery(client::Client& server, const RunsArguments& arguments) {
  Query query;
  if (!arguments.project.empty()) {
    YARD_ASSIGN(std::string id, Resolver(server).Id("projects", arguments.project));
    query.emplace_back("projectId", id);
  }
  if (!arguments.experiment.empty()) query.emplace_back("experiment", arguments.experiment);
  if (!arguments.filter.empty()) query.emplace_back("filterBy", arguments.filter);
  if (arguments.sort.empty()) return query;
  bool falling = arguments.sort.starts_with('-');
  query.emplace_back("sortBy", falling ? arguments.sort.substr(1) : arguments.sort);
  query.emplace_back("sortOrder", falling ? "desc" : "asc");
  return query;
}

Outcome<std::vector<json::value>> ListRuns(client::Client& server, const RunsArguments& arguments) {
  YARD_ASSIGN(Query query, ListQuery(server, arguments));
  std::vector<json::value> runs;
  while (true) {
    std::int64_t missing = arguments.limit - static_cast<std::int64_t>(runs.size());
    if (missing <= 0) return runs;
    Query page = query;
    page.emplace_back("offset", std::to_string(runs.size()));
    page.emplace_back("limit", std::to_string(std::min(missing, kPage)));
    YARD_ASSIGN(json::value found, server.Get("/api/v1/runs", std::move(page)));
    for (json::value& run : found.at("runs").as_array()) runs.push_back(std::move(run));
    if (found.as_object().if_contains("next") == nullptr) return runs;
  }
}

Outcome<void> List(Session& session, const RunsArguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(std::vector<json::value> runs, ListRuns(*server, arguments));
  if (arguments.parquet) return PrintParquet(session, RunColumns(runs, arguments.columns));
  return PrintTable(session, runs, RunTable(runs, arguments.columns, session.around().clock.Now()));
}

Outcome<std::vector<json::value>> FindAll(client::Client& server,
                                          const std::vector<std::string>& words) {
  std::vector<json::value> runs;
  for (const std::string& word : words) {
    YARD_ASSIGN(json::value run, FindRun(server, word));
    runs.push_back(std::move(run));
  }
  return runs;
}

Outcome<void> Show(Session& session, const RunsArguments& arguments,
                   const std::vector<std::string>& words) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(std::vector<json::value> runs, FindAll(*server, words));
  if (arguments.parquet) return PrintParquet(session, RunColumns(runs, arguments.columns));
  if (runs.size() > 1) return PrintTable(session, runs, CompareTable(runs));
  json::value& run = runs.front();
  if (session.format() != Format::kJson && session.format() != Format::kYaml) {
    json::object metrics;
    for (const json::value& metric : run.at("metrics").as_array()) {
      metrics[metric.at("name").as_string()] = MetricText(metric.at("value"));
    }
    run.as_object()["metrics"] = std::move(metrics);
  }
  PrintRecord(session.console(), session.format(), run);
  return {};
}

// "ls", "show RUN", "compare RUN RUN"; the runs alone mean the same as with the word before them.
Outcome<void> Runs(Session& session, const RunsArguments& arguments) {
  std::vector<std::string> words = arguments.words;
  std::string verb = words.empty() ? "ls" : words.front();
  bool said = verb == "ls" || verb == "list" || verb == "show" || verb == "compare";
  if (said && !words.empty()) words.erase(words.begin());
  if (verb == "ls" || verb == "list") return List(session, arguments);
  if (words.empty()) {
    return std::unexpected(Failure({Code::kInvalid, "which run?", "name one or its id"}));
  }
  return Show(session, arguments, words);
}

void AddRuns(const Verb& root, Session& session) {
  auto arguments = std::make_shared<RunsArguments>();
  Verb verb = root.Add("runs", "Tracked runs: list them, show one, compare several");
  verb.Words("ls | show RUN | compare RUN RUN...", arguments->words, "names or ids of runs")
      .Text("-p,--project", arguments->project, "only of this project", "NAME")
      .Text("-e,--experiment", arguments->experiment, "only of this experiment", "NAME")
      .Text("--filter", arguments->filter, "conditions, such as metrics.loss<=0.1,params.lr==0.01",
            "TEXT")
      .Text("--sort", arguments->sort, "by this field; with a dash before it the greatest first",
            "FIELD")
      .Texts("-c,--column", arguments->columns, "show this field, such as params.lr", "FIELD")
      .Number("-n,--limit", arguments->limit, "at most so many [20]")
      .Examples(
          "gpuyard runs -p vision --sort metrics.val/loss\n"
          "gpuyard runs --filter 'metrics.acc>=0.9,params.model==resnet50' -c params.lr -o csv\n"
          "gpuyard runs show quick-otter-17\n"
          "gpuyard runs compare quick-otter-17 9f3c2a10\n"
          "gpuyard runs -p vision -n 10000 -o parquet > runs.parquet");
  AddOutput(verb, arguments->parquet);
  verb.Run([arguments, &session] { return Runs(session, *arguments); });
}

struct MetricsArguments {
  std::vector<std::string> words;    // runs, or a run and metrics of it
  std::vector<std::string> metrics;  // of a comparison
  PlotAxis axis = PlotAxis::kStep;
  bool parquet = false;
};

void AddAxis(Verb& verb, MetricsArguments& arguments) {
  auto take = [&arguments](const std::string& text) -> Status {
    YARD_ASSIGN(arguments.axis, ParsePlotAxis(text));
    return {};
  };
  verb.Take("--by", take, "along the steps or the time [step]", "AXIS");
}

Outcome<void> Compare(Session& session, const MetricsArguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(std::vector<json::value> runs, FindAll(*server, arguments.words));
  if (arguments.parquet) return PrintParquet(session, RunColumns(runs, {}));
  if (arguments.metrics.empty() || session.format() != Format::kTable) {
    return PrintTable(session, runs, CompareTable(runs));
  }
  for (const std::string& metric : arguments.metrics) {
    YARD_TRY(PlotMetric(session, *server, runs, metric, arguments.axis));
  }
  return {};
}

void AddCompare(const Verb& root, Session& session) {
  auto arguments = std::make_shared<MetricsArguments>();
  Verb verb = root.Add("compare", "Runs side by side: what differs, or their metrics in one plot");
  verb.NeedsWords("RUN RUN...", arguments->words, "names or ids of runs")
      .Texts("-m,--metric", arguments->metrics, "plot this metric of all of them", "NAME")
      .Examples(
          "gpuyard compare quick-otter-17 calm-fox-3\n"
          "gpuyard compare quick-otter-17 calm-fox-3 -m loss -m val/loss --by time\n"
          "gpuyard compare quick-otter-17 calm-fox-3 -o csv");
  AddAxis(verb, *arguments);
  AddOutput(verb, arguments->parquet);
  verb.Run([arguments, &session] { return Compare(session, *arguments); });
}

Outcome<void> ListMetrics(Session& session, const json::value& run) {
  const json::array& list = run.at("metrics").as_array();
  Table table{.header = {"METRIC", "VALUE", "STEP", "TIME"}};
  for (const json::value& metric : list) {
    table.rows.push_back({TextAt(metric, "name"), MetricText(metric.at("value")),
                          TextAt(metric, "step"), TextAt(metric, "time")});
  }
  return PrintTable(session, {list.begin(), list.end()}, table);
}

Outcome<json::array> History(client::Client& server, const json::value& run,
                             const std::string& metric) {
  json::array points;
  std::string after;
  do {
    Query query{{"name", metric}, {"limit", "100000"}};
    if (!after.empty()) query.emplace_back("after", after);
    YARD_ASSIGN(json::value page,
                server.Get(fmt::format("/api/v1/runs/{}/history", TextAt(run, "id")), query));
    for (json::value& point : page.at("points").as_array()) points.push_back(std::move(point));
    after = TextAt(page, "next");
  } while (!after.empty());
  return points;
}

Outcome<void> PrintHistory(Session& session, client::Client& server, const json::value& run,
                           const std::string& metric) {
  YARD_ASSIGN(json::array points, History(server, run, metric));
  Table table{.header = {"step", "time", metric}};
  for (const json::value& point : points) {
    // Every digit: this is for programs.
    const json::value& value = point.at("value");
    table.rows.push_back({TextAt(point, "step"), TextAt(point, "time"),
                          value.is_string() ? TextAt(point, "value") : json::serialize(value)});
  }
  return PrintTable(session, {points.begin(), points.end()}, table);
}

Outcome<void> ExportHistories(Session& session, client::Client& server, const json::value& run,
                              const std::vector<std::string>& names) {
  std::vector<NamedHistory> histories;
  for (const std::string& name : names) {
    YARD_ASSIGN(json::array points, History(server, run, name));
    histories.emplace_back(name, std::move(points));
  }
  return PrintParquet(session, PointColumns(histories));
}

std::vector<std::string> MetricsIn(const json::value& run) {
  std::vector<std::string> names;
  for (const json::value& metric : run.at("metrics").as_array()) {
    names.push_back(TextAt(metric, "name"));
  }
  return names;
}

Outcome<void> Metrics(Session& session, const MetricsArguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value run, FindRun(*server, arguments.words.front()));
  std::vector<std::string> names(arguments.words.begin() + 1, arguments.words.end());
  if (arguments.parquet) {
    return ExportHistories(session, *server, run, names.empty() ? MetricsIn(run) : names);
  }
  if (names.empty()) return ListMetrics(session, run);
  bool plot = session.format() == Format::kTable;
  if (plot) names.resize(std::min(names.size(), kMostPlots));
  for (const std::string& name : names) {
    if (plot) {
      YARD_TRY(PlotMetric(session, *server, {run}, name, arguments.axis));
    } else {
      YARD_TRY(PrintHistory(session, *server, run, name));
    }
  }
  return {};
}

void AddMetrics(const Verb& root, Session& session) {
  auto arguments = std::make_shared<MetricsArguments>();
  Verb verb = root.Add("metrics", "Metrics of a run: the newest values, or a plot of some");
  verb.NeedsWords("RUN [METRIC...]", arguments->words, "a run, and metrics of it to draw")
      .Examples(
          "gpuyard metrics quick-otter-17\n"
          "gpuyard metrics quick-otter-17 loss val/loss\n"
          "gpuyard metrics quick-otter-17 loss -o csv > loss.csv\n"
          "gpuyard metrics quick-otter-17 -o parquet > every-point.parquet");
  AddAxis(verb, *arguments);
  AddOutput(verb, arguments->parquet);
  verb.Run([arguments, &session] { return Metrics(session, *arguments); });
}

}  // namespace

void AddTracking(CLI::App& app, Session& session) {
  Verb root(app, session);
  AddRuns(root, session);
  AddCompare(root, session);
  AddMetrics(root, session);
  AddArtifacts(root, session);
  AddReports(root, session);
}

}  // namespace yard::cli
