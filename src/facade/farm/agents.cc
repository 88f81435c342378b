// The nodes as Farm's agents. Whoever may not see nodes sees those that their tasks run on.
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "control/auth/access.h"
#include "control/commands/job_definitions.h"
#include "facade/farm/ask.h"
#include "facade/farm/routes.h"
#include "facade/farm/task.h"
#include "model/org.h"

namespace yard::facade::farm {
namespace {

using serve::Answer;
using serve::Call;

struct Agent {
  const Node* node = nullptr;  // null: the caller may not see nodes
  std::vector<std::string> tasks;
};
using Agents = std::map<std::string, Agent>;

bool SeesNodes(const control::Access& access, ClusterId id) {
  const ScopePath cluster{.cluster = id};
  for (const ScopePath& path : access.Where(Resource::kNodes, Action::kRead)) {
    if (path.Covers(cluster) || cluster.Covers(path)) return true;
  }
  return false;
}

void AddNodes(Call& call, Agents& agents) {
  const control::Access access(call.state(), call.who());
  call.state().Of<Node>().Each([&](const Node& node) {
    if (SeesNodes(access, node.cluster)) agents[node.name].node = &node;
  });
}

void AddTasks(Call& call, const std::set<ProjectId>& projects, Agents& agents) {
  call.state().EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    Ptr<Workload> workload = call.state().Find<Workload>(attempt->workload);
    if (!workload || !projects.contains(workload->project) || !IsTask(*workload)) return;
    for (const TaskPlace& place : attempt->places) {
      agents[place.node].tasks.push_back(FormatUuid(workload->id.value));
    }
  });
}

std::string_view StatusOf(const Agent& agent) {
  if (agent.node != nullptr && agent.node->drain) return "evicted";
  if (agent.node != nullptr && agent.node->status != NodeStatus::kReady) return "lost";
  return agent.tasks.empty() ? "idle" : "active";
}

json::object ResourcesOf(const Agent& agent) {
  if (agent.node == nullptr) return {};
  const Node& node = *agent.node;
  return {{"gpus", node.gpu_count},
          {"gpu_type", node.gpu_type.value_or("")},
          {"cpus", static_cast<double>(node.cpu.value) / 1000},
          {"memory_mib", node.memory.value}};
}

json::array TypesIn(Call& call, const std::set<ProjectId>& projects) {
  std::set<std::string> names;
  for (ProjectId project : projects) {
    for (auto& one : control::JobDefinitionsOf(call.state(), project)) names.insert(one.name);
  }
  return json::array(names.begin(), names.end());
}

Result<Answer> List(Call& call) {
  YARD_ASSIGN(std::set<ProjectId> projects, VisibleProjects(call));
  Agents agents;
  AddNodes(call, agents);
  AddTasks(call, projects, agents);
  const json::array types = TypesIn(call, projects);
  const std::optional<std::string_view> wanted = call.Query("status");
  json::object all;
  for (const auto& [name, agent] : agents) {
    const std::string_view status = StatusOf(agent);
    if (wanted && *wanted != status) continue;
    all[name] = json::object{{"active_tasks", json::array(agent.tasks.begin(), agent.tasks.end())},
                             {"task_types", types},
                             {"checkin_time", static_cast<double>(call.now().micros) / 1e6},
                             {"status", status},
                             {"resources", ResourcesOf(agent)},
                             {"errored_task_count", 0},
                             {"labels", json::array()}};
  }
  return serve::Json(JsonText(all));
}

}  // namespace

void AddAgentRoutes(std::vector<serve::Route>& routes) {
  routes.push_back({http::Method::kGet,
                    "/queue/management/agents/list",
                    serve::May(Action::kRead, Resource::kTrainings),
                    List,
                    "The nodes, with the tasks that run on them",
                    "",
                    "",
                    200,
                    {{"status", "active|idle|lost|evicted"}}});
}

}  // namespace yard::facade::farm
