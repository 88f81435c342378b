// quota: what each project or department may have and what it holds, pool by pool.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/view.h"

namespace yard::cli {
namespace {

using client::Outcome;

struct QuotaArguments {
  std::string name;
  bool departments = false;
};

json::array ListAt(const json::value& object, std::string_view path) {
  const json::value& list = At(object, path);
  return list.is_array() ? list.get_array() : json::array();
}

// A negative amount is how the API says that there is no limit.
std::string AmountOf(const json::value& quota, std::string_view path) {
  const std::string text = TextAt(quota, path);
  return text.starts_with('-') ? "unlimited" : OrDash(text);
}

// The GPUs that the unit holds in the pool.
std::string HeldIn(const json::value& unit, const std::string& pool) {
  for (const json::value& one : ListAt(unit, "status.nodePoolQuotaStatuses")) {
    if (TextAt(one, "nodePoolName") == pool) return OrDash(TextAt(one, "allocated.gpu"));
  }
  return "0";
}

Table QuotaTable(const std::vector<json::value>& units) {
  Table table{.header = {"NAME", "POOL", "GPU QUOTA", "GPU LIMIT", "WEIGHT", "GPU IN USE",
                         "CPU QUOTA", "MEMORY QUOTA"},
              .rows = {}};
  for (const json::value& unit : units) {
    for (const json::value& quota : ListAt(unit, "resources")) {
      const std::string pool = TextAt(quota, "nodePool.name");
      std::string memory = AmountOf(quota, "memory.deserved");
      if (memory != "unlimited") memory += " " + TextAt(quota, "memory.units");
      table.rows.push_back({TextAt(unit, "name"), pool, AmountOf(quota, "gpu.deserved"),
                            AmountOf(quota, "gpu.limit"),
                            OrDash(TextAt(quota, "gpu.overQuotaWeight")), HeldIn(unit, pool),
                            AmountOf(quota, "cpu.deserved"), std::move(memory)});
    }
  }
  return table;
}

Outcome<void> Quota(Session& session, const QuotaArguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  const Kind& kind = **FindKind(arguments.departments ? "departments" : "projects");
  std::vector<json::value> units;
  if (arguments.name.empty()) {
    YARD_ASSIGN(units, ListObjects(*server, kind, {}));
  } else {
    YARD_ASSIGN(json::value unit, FindObject(*server, kind, arguments.name));
    units.push_back(std::move(unit));
  }
  return PrintTable(session, units, QuotaTable(units));
}

}  // namespace

void AddQuota(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<QuotaArguments>();
  Verb verb =
      Verb(app, session).Add("quota", "What projects may have and what they hold, pool by pool");
  verb.Word("NAME", arguments->name, "one project or department; default: all")
      .Flag("--departments", arguments->departments, "of departments instead of projects")
      .Format()
      .Examples("gpuyard quota\ngpuyard quota vision\ngpuyard quota --departments -o csv");
  verb.Run([arguments, &session] { return Quota(session, *arguments); });
}

}  // namespace yard::cli
