#include <algorithm>
#include <array>
#include <ranges>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "facade/farm/ask.h"
#include "facade/farm/routes.h"
#include "facade/farm/task.h"
#include "facade/farm/task_draft.h"
#include "facade/farm/task_history.h"

namespace yard::facade::farm {
namespace {

using control::Txn;
using serve::Answer;
using serve::Call;
using serve::Slow;

constexpr std::size_t kMostTasks = 5000;
constexpr std::size_t kMostBytes = 16 << 20;  // of their text; in memory it is many times as much
constexpr std::array<std::string_view, 6> kLeastFields{
    "task_id", "task_type", "task_function", "status", "task_submission_time", "priority"};

http::Reply IdReply(const Ptr<Workload>& workload) {
  return serve::Json(JsonText(json::object{{"task_id", FormatUuid(workload->id.value)}}));
}

Result<Answer> Submit(Call& call) {
  YARD_ASSIGN(Ptr<Project> project, ProjectOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(TaskOrder order, ReadTaskOrder(body));
  YARD_ASSIGN(control::WorkloadDraft draft, DraftOf(call, *project, order));
  return serve::Commit(
      [draft = std::move(draft)](Txn& txn) mutable {
        return control::CreateWorkload(txn, std::move(draft));
      },
      IdReply);
}

json::object ViewOf(const control::State& state, const Workload& workload) {
  const Ptr<Attempt> newest = state.NewestAttempt(workload);
  const Ptr<Project> project = state.Find<Project>(workload.project);
  return TaskJson({&workload, newest.get(), project ? project->name : ""});
}

Result<Answer> Info(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, TaskOf(call, call.Path("task")));
  return serve::Json(JsonText(ViewOf(call.state(), *workload)));
}

struct ListAsk {
  std::optional<std::string> type;
  std::optional<std::string> function;
  std::set<std::string> statuses;
  std::set<std::string> fields;  // none: all
  std::set<ProjectId> projects;
};

// As Farm, without a status the tasks that wait.
Result<ListAsk> ReadList(Call& call) {
  ListAsk ask;
  for (const auto& [name, value] : call.query()) {
    if (name == "task_type") ask.type = value;
    if (name == "task_function") ask.function = value;
    if (name == "field") ask.fields.insert(value == "task_status" ? "status" : value);
    if (name != "status") continue;
    if (!IsStatus(value)) return Fail(Code::kInvalid, fmt::format("status: no state '{}'", value));
    ask.statuses.insert(value);
  }
  if (ask.statuses.empty()) ask.statuses = {"submitted"};
  if (!ask.fields.empty()) ask.fields.insert(kLeastFields.begin(), kLeastFields.end());
  YARD_ASSIGN(ask.projects, VisibleProjects(call));
  return ask;
}

bool Wants(const ListAsk& ask, const json::object& task) {
  auto is = [&](std::string_view field, const std::optional<std::string>& wanted) {
    return !wanted || task.at(field).as_string() == *wanted;
  };
  return is("task_type", ask.type) && is("task_function", ask.function) &&
         ask.statuses.contains(std::string(task.at("status").as_string()));
}

// The newest that match, and how many there are.
struct Found {
  std::vector<json::object> tasks;
  std::size_t total = 0;
  std::size_t bytes = 0;

  bool IsFull() const { return tasks.size() >= kMostTasks || bytes >= kMostBytes; }
};

// The fields that are asked for.
json::object Part(const ListAsk& ask, json::object task) {
  if (ask.fields.empty()) return task;
  json::object kept;
  for (const auto& [field, value] : task) {
    if (ask.fields.contains(std::string(std::string_view(field)))) kept[field] = value;
  }
  return kept;
}

// Ids made later sort later, so the newest stand at the end.
Found FindTasks(const control::State& state, const ListAsk& ask) {
  std::vector<const Workload*> candidates;
  state.Of<Workload>().Each([&](const Workload& workload) {
    if (ask.projects.contains(workload.project) && IsTask(workload))
      candidates.push_back(&workload);
  });
  Found found;
  for (const Workload* workload : candidates | std::views::reverse) {
    if (workload->deleted_at && !ask.statuses.contains("archived")) continue;
    json::object task = ViewOf(state, *workload);
    if (!Wants(ask, task)) continue;
    ++found.total;
    if (found.IsFull()) continue;
    found.tasks.push_back(Part(ask, std::move(task)));
    found.bytes += JsonText(found.tasks.back()).size();
  }
  std::ranges::stable_sort(found.tasks, {}, [](const json::object& task) {
    return std::pair(task.at("priority").to_number<double>(),
                     task.at("task_submission_time").as_double());
  });
  return found;
}

// As Python writes a text, which is how Farm names its groups of tasks.
std::string Quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\\' || c == '\'') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string GroupOf(const json::object& task) {
  return fmt::format("({}, {})", Quoted(std::string_view(task.at("task_type").as_string())),
                     Quoted(std::string_view(task.at("task_function").as_string())));
}

json::object Grouped(std::vector<json::object> tasks) {
  json::object groups;
  for (json::object& task : tasks) {
    const std::string group = GroupOf(task);
    groups.emplace(group, json::array()).first->value().as_array().push_back(std::move(task));
  }
  return groups;
}

Result<Answer> List(Call& call) {
  YARD_ASSIGN(ListAsk ask, ReadList(call));
  auto work = [snapshot = call.snapshot(), ask = std::move(ask)]() -> Result<Slow::Outcome> {
    Found found = FindTasks(*snapshot, ask);
    return serve::JsonPage(JsonText(Grouped(std::move(found.tasks))), found.total);
  };
  return Slow{.work = std::move(work)};
}

Result<Answer> History(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, TaskOf(call, call.Path("task")));
  auto work = [&call, workload]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(json::array history, HistoryOf(call, *workload));
    return serve::Json(JsonText(history));
  };
  return Slow{.work = std::move(work)};
}

// Nodes take work from the scheduler, not from this protocol.
Result<Answer> NotOffered(Call& call) {
  call.NeedsNoScope();
  return Fail(Code::kUnsupported, "agents of Farm do not work for this server",
              "its nodes run the tasks; remove the agents' services");
}

}  // namespace

void AddTaskRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  using serve::May;
  constexpr Resource kTasks = Resource::kTrainings;
  const serve::Need read = May(Action::kRead, kTasks);
  const serve::Need update = May(Action::kUpdate, kTasks);
  routes.insert(routes.end(),
                {{Method::kPost, "/queue/management/tasks/submit", May(Action::kCreate, kTasks),
                  Submit, "Submit a task"},
                 {Method::kGet,
                  "/queue/management/tasks/list",
                  read,
                  List,
                  "Tasks, by type and function",
                  "",
                  "",
                  200,
                  {{"task_type", "string"},
                   {"task_function", "string"},
                   {"status", "string"},
                   {"field", "string"}}},
                 {Method::kGet, "/queue/management/tasks/info/{task}", read, Info, "One task"},
                 {Method::kGet, "/queue/management/tasks/revision-history/{task}", read, History,
                  "What became of a task, step by step"}});
  for (std::string_view path :
       {"/queue/management/tasks/fetch", "/queue/management/tasks/submit-graph",
        "/queue/management/logs/upload", "/queue/management/agents/checkin",
        "/queue/management/agents/remove", "/queue/management/agents/evict",
        "/queue/management/agents/enable"}) {
    routes.push_back({Method::kPost, path, update, NotOffered, "Not offered"});
  }
}

}  // namespace yard::facade::farm
