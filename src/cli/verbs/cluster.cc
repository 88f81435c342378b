// why, queue, nodes, gpus, eff: what the cluster does and why.
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/efficiency.h"
#include "cli/work/ending.h"
#include "cli/work/find.h"
#include "cli/work/gpus.h"
#include "cli/work/story.h"
#include "cli/work/view.h"
#include "cli/work/why.h"

namespace yard::cli {
namespace {

using client::Outcome;

std::vector<json::value> ItemsOf(const json::value& answer, std::string_view key) {
  const json::value& list = At(answer, key);
  if (!list.is_array()) return {};
  return {list.get_array().begin(), list.get_array().end()};
}

// Of the items of an array, the first that waits speaks for all.
Outcome<json::value> Chosen(Session& session, const std::string& name) {
  YARD_ASSIGN(Several found, FindSeveral(session, name, Existing::kEver));
  if (found.items.size() == 1) return found.items.front();
  session.Note(SummaryOf(found));
  auto waits = std::ranges::find_if(found.items, [](const json::value& one) {
    return TextAt(one, "phase") == "Pending" && At(one, "deletedAt").is_null();
  });
  return waits == found.items.end() ? found.items.front() : *waits;
}

Outcome<void> Why(Session& session, const std::string& name) {
  YARD_ASSIGN(json::value workload, Chosen(session, name));
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value why, server->Get(PathOf(workload, "/why")));
  if (session.format() == Format::kTable || session.format() == Format::kWide) {
    std::string own = TextAt(workload, "name");
    session.console().out << own << " is " << Lower(PhaseOf(workload)) << '\n'
                          << RenderWhy(why, session.around().clock.Now());
  } else {
    PrintTree(session.console(), session.format(), why);
  }
  return {};
}

// For programs.
Table QueueRecords(const std::vector<json::value>& lines) {
  constexpr std::pair<const char*, const char*> kColumns[] = {
      {"POSITION", "position"}, {"NAME", "name"},     {"PROJECT", "projectName"},
      {"USER", "userName"},     {"GPUS", "gpu"},      {"EARLIEST", "earliest"},
      {"LATEST", "latest"},     {"REASON", "reason"}, {"ID", "workloadId"}};
  Table table;
  for (const auto& [header, path] : kColumns) table.header.emplace_back(header);
  for (const json::value& line : lines) {
    std::vector<std::string>& row = table.rows.emplace_back();
    for (const auto& [header, path] : kColumns) row.push_back(TextAt(line, path));
  }
  return table;
}

Outcome<void> Queue(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value answer, server->Get("/api/v1/queue"));
  std::vector<json::value> lines = ItemsOf(answer, "queue");
  if (lines.empty()) session.Hint("nothing waits");
  if (session.format() == Format::kCsv) return PrintTable(session, lines, QueueRecords(lines));
  if (session.format() == Format::kName) {
    for (const json::value& line : lines)
      session.console().out << "workload/" << TextAt(line, "name") << '\n';
    return {};
  }
  Table table{.header = {"POSITION", "NAME", "PROJECT", "USER", "GPUS", "STARTS", "REASON"},
              .rows = {}};
  Time now = session.around().clock.Now();
  for (const json::value& line : lines) {
    table.rows.push_back({TextAt(line, "position"), TextAt(line, "name"),
                          TextAt(line, "projectName"), TextAt(line, "userName"),
                          OrDash(TextAt(line, "gpu")), OrDash(RenderStart(line, now)),
                          TextAt(line, "reason")});
  }
  return PrintTable(session, lines, table);
}

Outcome<void> Nodes(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  const Kind& kind = **FindKind("nodes");
  YARD_ASSIGN(std::vector<json::value> nodes, ListObjects(*server, kind, {}));
  PrintObjects(session.console(), kind, session.format(), nodes, Shape::kMany);
  return {};
}

Outcome<void> Gpus(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value answer, server->Get("/api/v1/gpus"));
  std::vector<json::value> gpus = ItemsOf(answer, "gpus");
  const bool usual = session.format() == Format::kTable;
  return PrintTable(session, gpus, GpuTable(gpus, usual ? Columns::kUsual : Columns::kAll));
}

// Asked, used and suggested, a line for each resource.
Outcome<void> Eff(Session& session, const std::string& name) {
  YARD_ASSIGN(json::value workload, FindWorkload(session, name, Existing::kEver));
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value usage, server->Get(PathOf(workload, "/usage")));
  if (session.format() == Format::kJson || session.format() == Format::kYaml) {
    PrintTree(session.console(), session.format(), usage);
    return {};
  }
  YARD_ASSIGN(json::array attempts, AttemptsOf(session, TextAt(workload, "id")));
  const Efficiency efficiency =
      EfficiencyOf(usage, RunTimeOf(attempts, session.around().clock.Now()));
  YARD_TRY(PrintTable(session, {usage}, efficiency.table));
  if (session.format() == Format::kTable && !efficiency.verdict.empty())
    session.console().out << '\n' << efficiency.verdict << '\n';
  return {};
}

}  // namespace

void AddCluster(CLI::App& app, Session& session) {
  Verb root(app, session);
  auto why = std::make_shared<std::string>();
  Verb verb = root.Add("why", "Why work waits, when it starts, and what would help");
  verb.NeedsWord("NAME", *why, "the workload, or the name of an array")
      .Format()
      .Examples("gpuyard why train");
  verb.Run([why, &session] { return Why(session, *why); });
  verb = root.Add("queue", "What waits, in the order of decision");
  verb.Format().Examples("gpuyard queue\ngpuyard queue -o json");
  verb.Run([&session] { return Queue(session); });
  verb = root.Add("nodes", "The machines");
  verb.Alias("sinfo").Format().Examples("gpuyard nodes -o wide");
  verb.Run([&session] { return Nodes(session); });
  verb = root.Add("gpus", "The GPUs: what they are, how they are, who has them");
  verb.Format().Examples("gpuyard gpus\ngpuyard gpus -o wide\ngpuyard gpus -o csv");
  verb.Run([&session] { return Gpus(session); });
  auto eff = std::make_shared<std::string>();
  verb = root.Add("eff", "What work asked for, what it used, what to ask for next time");
  verb.Alias("seff").NeedsWord("NAME", *eff, "the workload").Format().Examples("gpuyard eff train");
  verb.Run([eff, &session] { return Eff(session, *eff); });
}

}  // namespace yard::cli
