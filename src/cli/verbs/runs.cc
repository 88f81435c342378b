// runs, metrics, artifacts: what programs have logged.
#include <algorithm>
#include <fstream>
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
#include "cli/track/plot.h"
#include "cli/track/runs.h"
#include "cli/track/verbs.h"
#include "cli/verb.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kMostPlots = 4;

struct RunsArguments {
  std::vector<std::string> words;
  std::string project;
  std::string experiment;
  std::string filter;
  std::string sort;
  std::vector<std::string> columns;
  std::int64_t limit = 20;
};

using Query = std::vector<std::pair<std::string, std::string>>;

Outcome<Query> ListQuery(client::Client& server, const RunsArguments& arguments) {
  Query query{{"limit", std::to_string(arguments.limit)}};
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

Outcome<void> List(Session& session, const RunsArguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(Query query, ListQuery(*server, arguments));
  YARD_ASSIGN(json::value found, server->Get("/api/v1/runs", std::move(query)));
  const json::array& list = found.at("runs").as_array();
  std::vector<json::value> runs(list.begin(), list.end());
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

Outcome<void> Show(Session& session, const std::vector<std::string>& words) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(std::vector<json::value> runs, FindAll(*server, words));
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
  return Show(session, words);
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
      .Format()
      .Examples(
          "gpuyard runs -p vision --sort metrics.val/loss\n"
          "gpuyard runs --filter 'metrics.acc>=0.9,params.model==resnet50' -c params.lr -o csv\n"
          "gpuyard runs show quick-otter-17\n"
          "gpuyard runs compare quick-otter-17 9f3c2a10");
  verb.Run([arguments, &session] { return Runs(session, *arguments); });
}

struct MetricsArguments {
  std::vector<std::string> words;
  std::string axis = "step";
};

Outcome<void> ListMetrics(Session& session, const json::value& run) {
  const json::array& list = run.at("metrics").as_array();
  Table table{.header = {"METRIC", "VALUE", "STEP", "TIME"}};
  for (const json::value& metric : list) {
    table.rows.push_back({TextAt(metric, "name"), MetricText(metric.at("value")),
                          TextAt(metric, "step"), TextAt(metric, "time")});
  }
  return PrintTable(session, {list.begin(), list.end()}, table);
}

Outcome<void> PlotMetric(Session& session, client::Client& server, const json::value& run,
                         const MetricsArguments& arguments, const std::string& metric) {
  Console& console = session.console();
  std::size_t width = console.width == 0 ? kUsualWidth : console.width;
  bool clock = arguments.axis == "time";
  json::object wish{{"runs", json::array{run.at("id")}},
                    {"metrics", json::array{metric}},
                    {"pixels", width * 2},
                    {"axis", arguments.axis}};
  YARD_ASSIGN(json::value charts, server.SendForJson({.method = client::Method::kPost,
                                                      .path = "/api/v1/runs/charts",
                                                      .body = json::serialize(wish)}));
  PlotLine line{.label = metric};
  for (const json::value& series : charts.at("series").as_array()) {
    const json::array& values = series.at("values").as_array();
    const json::array& places = series.at(clock ? "times" : "steps").as_array();
    double first = places.empty() ? 0 : places.front().to_number<double>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      double place = places[i].to_number<double>();
      if (values[i].is_null()) continue;
      line.points.emplace_back(clock ? (place - first) / 1000 : place,
                               values[i].to_number<double>());
    }
  }
  std::string drawn =
      RenderPlot({line}, {.columns = width - 1}, console.colour ? Colour::kYes : Colour::kNo);
  if (drawn.empty()) {
    return std::unexpected(
        Failure({Code::kNotFound, fmt::format("the run has no finite value of '{}'", metric),
                 "see `gpuyard metrics RUN` for what it has logged"}));
  }
  console.out << fmt::format("{}, by {}\n{}", metric, clock ? "seconds" : "step", drawn);
  return {};
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

Outcome<void> Metrics(Session& session, const MetricsArguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value run, FindRun(*server, arguments.words.front()));
  if (arguments.words.size() == 1) return ListMetrics(session, run);
  std::vector<std::string> names(arguments.words.begin() + 1, arguments.words.end());
  names.resize(std::min(names.size(), kMostPlots));
  for (const std::string& name : names) {
    bool plot = session.format() == Format::kTable;
    if (plot) {
      YARD_TRY(PlotMetric(session, *server, run, arguments, name));
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
      .Take(
          "--by",
          [arguments](const std::string& axis) -> Status {
            if (axis != "step" && axis != "time") return Fail(Code::kInvalid, "say step or time");
            arguments->axis = axis;
            return {};
          },
          "along the steps or the time [step]", "AXIS")
      .Format()
      .Examples(
          "gpuyard metrics quick-otter-17\n"
          "gpuyard metrics quick-otter-17 loss val/loss\n"
          "gpuyard metrics quick-otter-17 loss -o csv > loss.csv");
  verb.Run([arguments, &session] { return Metrics(session, *arguments); });
}

struct ArtifactArguments {
  std::string run;
  std::string verb;
  std::string path;
  std::string to;
};

std::string FilesPath(const json::value& run) {
  return fmt::format("/api/v1/runs/{}/artifacts", TextAt(run, "id"));
}

Outcome<void> ListFiles(Session& session, client::Client& server, const json::value& run,
                        const std::string& path) {
  YARD_ASSIGN(json::value found, server.Get(FilesPath(run), {{"path", path}}));
  const json::array& list = found.at("files").as_array();
  Table table{.header = {"NAME", "BYTES"}};
  for (const json::value& file : list) {
    bool folder = file.at("folder").as_bool();
    table.rows.push_back(
        {TextAt(file, "name") + (folder ? "/" : ""), folder ? "" : TextAt(file, "bytes")});
  }
  return PrintTable(session, {list.begin(), list.end()}, table);
}

Outcome<void> GetFile(Session& session, client::Client& server, const json::value& run,
                      const ArtifactArguments& arguments) {
  std::string name = arguments.path.substr(arguments.path.rfind('/') + 1);
  std::string to = arguments.to.empty() ? name : arguments.to;
  // Under its name only when it is whole.
  std::string part = to + ".part";
  std::ofstream file(part, std::ios::binary | std::ios::trunc);
  auto take = [&](std::string_view piece) {
    file.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    return file.good();
  };
  YARD_TRY(server.Download({.path = FilesPath(run) + "/file", .query = {{"path", arguments.path}}},
                           {.take = take}));
  file.close();
  if (file.fail() || std::rename(part.c_str(), to.c_str()) != 0) {
    return std::unexpected(Failure({Code::kUnavailable, fmt::format("cannot write '{}'", to),
                                    "check the folder and the space on its disk"}));
  }
  session.Note(fmt::format("{} is in {}", arguments.path, to));
  return {};
}

Outcome<void> Artifacts(Session& session, const ArtifactArguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value run, FindRun(*server, arguments.run));
  if (arguments.verb != "get") {
    std::string path = arguments.verb == "ls" ? arguments.path : arguments.verb;
    return ListFiles(session, *server, run, path);
  }
  if (arguments.path.empty()) {
    return std::unexpected(Failure({Code::kInvalid, "which file?", "say its path in the run"}));
  }
  return GetFile(session, *server, run, arguments);
}

void AddArtifacts(const Verb& root, Session& session) {
  auto arguments = std::make_shared<ArtifactArguments>();
  Verb verb = root.Add("artifacts", "Files of a run: list them, get one");
  verb.NeedsWord("RUN", arguments->run, "its name or id")
      .Word("ls|get", arguments->verb, "what to do [ls]")
      .Word("PATH", arguments->path, "a file or folder of the run")
      .Text("--to", arguments->to, "where to put the file [its own name, here]", "FILE")
      .Format()
      .Examples(
          "gpuyard artifacts quick-otter-17\n"
          "gpuyard artifacts quick-otter-17 ls model\n"
          "gpuyard artifacts quick-otter-17 get model/weights.pt --to weights.pt");
  verb.Run([arguments, &session] { return Artifacts(session, *arguments); });
}

}  // namespace

void AddTracking(CLI::App& app, Session& session) {
  Verb root(app, session);
  AddRuns(root, session);
  AddMetrics(root, session);
  AddArtifacts(root, session);
}

}  // namespace yard::cli
