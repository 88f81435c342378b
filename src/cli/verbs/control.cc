// cancel, hold, release, suspend, resume, rerun, update: orders to work that exists.
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/submit/parse.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/find.h"
#include "cli/work/orders.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

struct OrderArguments {
  std::vector<std::string> names;
  bool failed = false;
  std::string time;
  std::string priority;
};

// One verb that does one thing to each workload it is given.
struct OrderVerb {
  const char* name;
  const char* summary;
  const char* done;  // "is held"
  Outcome<void> (*act)(Session& session, const json::value& workload);
  const char* examples;
};

constexpr OrderVerb kOrders[] = {
    {"cancel", "End work and free what it holds", "cancelled", Cancel,
     "gpuyard cancel train\ngpuyard cancel 'sweep*'\ngpuyard cancel vision/train last"},
    {"hold", "Keep waiting work from starting", "held", Hold, "gpuyard hold train"},
    {"release", "Let held work start", "released", Release, "gpuyard release train"},
    {"suspend", "Stop work and keep it, to be resumed later", "suspended", Suspend,
     "gpuyard suspend notebook"},
    {"resume", "Start suspended work again", "resumed", Resume, "gpuyard resume notebook"},
};

Outcome<void> Apply(Session& session, const OrderVerb& order, const OrderArguments& arguments) {
  for (const std::string& name : arguments.names) {
    YARD_ASSIGN(std::vector<json::value> found, FindWorkloads(session, name, Existing::kLive));
    for (const json::value& workload : found) {
      YARD_TRY(order.act(session, workload));
      session.console().out << "workload/" << TextAt(workload, "name") << ' ' << order.done << '\n';
    }
  }
  return {};
}

Outcome<void> RerunAll(Session& session, const OrderArguments& arguments) {
  int count = 0;
  for (const std::string& name : arguments.names) {
    YARD_ASSIGN(std::vector<json::value> found, FindWorkloads(session, name, Existing::kEver));
    for (const json::value& workload : found) {
      if (arguments.failed && TextAt(workload, "phase") != "Failed") continue;
      YARD_ASSIGN(std::string fresh, Rerun(session, workload));
      session.console().out << fresh << '\n';
      ++count;
    }
  }
  if (count == 0) session.Note("nothing of it has failed");
  return {};
}

Outcome<void> Update(Session& session, const OrderArguments& arguments) {
  if (arguments.time.empty() && arguments.priority.empty())
    return std::unexpected(Failure({Code::kInvalid, "what is to change?", "give --time +2h"}));
  if (!arguments.priority.empty()) {
    return std::unexpected(Failure({Code::kUnsupported, "the priority of work cannot be changed",
                                    "cancel it and submit it with --priority"}));
  }
  std::string_view span = arguments.time;
  if (!span.starts_with('+'))
    return std::unexpected(Failure({Code::kInvalid, fmt::format("'{}' does not add time", span),
                                    "write --time +2h to let it run two hours longer"}));
  YARD_ASSIGN(Micros more, ParseDuration(span.substr(1)));
  for (const std::string& name : arguments.names) {
    YARD_ASSIGN(json::value workload, FindWorkload(session, name, Existing::kLive));
    YARD_TRY(Extend(session, workload, more));
    session.console().out << "workload/" << TextAt(workload, "name") << " extended\n";
  }
  return {};
}

}  // namespace

void AddOrders(CLI::App& app, Session& session) {
  Verb root(app, session);
  for (const OrderVerb& order : kOrders) {
    auto arguments = std::make_shared<OrderArguments>();
    Verb verb = root.Add(order.name, order.summary);
    if (order.act == Cancel) verb.Alias("scancel");
    verb.NeedsWords("NAME", arguments->names, "workloads; 'sweep*' is all of these names")
        .Examples(order.examples);
    verb.Run([arguments, &order, &session] { return Apply(session, order, *arguments); });
  }
  auto rerun = std::make_shared<OrderArguments>();
  Verb verb = root.Add("rerun", "Submit the same again, as new work");
  verb.NeedsWords("NAME", rerun->names, "workloads, or the name of an array")
      .Flag("--failed", rerun->failed, "only those that failed")
      .Examples("gpuyard rerun train\ngpuyard rerun --failed sweep");
  verb.Run([rerun, &session] { return RerunAll(session, *rerun); });
  auto update = std::make_shared<OrderArguments>();
  verb = root.Add("update", "Change work while it waits or runs");
  verb.NeedsWords("NAME", update->names, "workloads")
      .Text("-t,--time", update->time, "let it run longer: +2h", "+SPAN")
      .Text("--priority", update->priority, "its priority class", "CLASS")
      .Examples("gpuyard update train --time +2h");
  verb.Run([update, &session] { return Update(session, *update); });
}

}  // namespace yard::cli
