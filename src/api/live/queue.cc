// The queue: who waits, in which order and by which numbers; who runs, as the nth GPU of whom.
#include "api/groups.h"
#include "api/live/views.h"
#include "api/workloads/workload_views.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Live;
using control::NthGpuLine;
using control::QueueLine;
using control::QueueTerms;
using control::UnitTerms;

double Devices(MilliGpu amount) {
  return static_cast<double>(amount.value) / 1000;
}

std::optional<double> Devices(const std::optional<MilliGpu>& amount) {
  return amount ? std::optional(Devices(*amount)) : std::nullopt;
}

void WriteUnit(wire::Writer& w, std::string_view name, const std::optional<UnitTerms>& terms) {
  w.Key(name);
  if (!terms) return w.Null();
  w.Begin();
  w("held", Devices(terms->held));
  w("ahead", Devices(terms->ahead));
  w("share", Devices(terms->share));
  w.OrNull("quota", Devices(terms->quota));
  w("priority", terms->priority);
  w.End();
}

void WriteTerms(wire::Writer& w, const std::optional<QueueTerms>& terms, const Workload& workload) {
  w.Key("terms");
  if (!terms) return w.Null();
  w.Begin();
  w("policy", terms->policy);
  w("pool", terms->pool);
  w("priority", workload.priority);
  w("priorityClass", workload.priority_class);
  w("submittedAt", workload.stamp.created_at);
  w("wants", Devices(terms->wants));
  WriteUnit(w, "department", terms->department);
  WriteUnit(w, "project", terms->project);
  w.OrNull("nthGpu", Devices(terms->nth_gpu));
  w.End();
}

void WriteWho(wire::Writer& w, const WorkloadRow& row) {
  w("workloadId", row.workload->id);
  w("name", row.workload->name);
  w("projectName", row.names->project);
  w("userName", row.workload->stamp.created_by);
  w("gpu", Devices(TotalOf(row.workload->request).gpu));
}

void WriteLine(wire::Writer& w, const QueueLine& line, const WorkloadRow& row) {
  w.Begin();
  WriteWho(w, row);
  w("position", line.position);
  w("reason", line.reason);
  w.OrNull("earliest", line.earliest);
  w.OrNull("latest", line.latest);
  WriteTerms(w, line.terms, *row.workload);
  w.End();
}

void WriteLine(wire::Writer& w, const Call& call, const NthGpuLine& line, const WorkloadRow& row) {
  Ptr<Attempt> open = call.state().OpenAttempt(*row.workload);
  w.Begin();
  WriteWho(w, row);
  w("held", open && HoldsGpus(*open) ? Devices(HeldBy(*open)) : 0.0);
  w("userOrdinal", Devices(line.user_ordinal));
  w("globalOrdinal", Devices(line.global_ordinal));
  w.OrNull("startedAt", open ? open->started_at : std::nullopt);
  w.End();
}

// Those the caller may see, each with its place among all.
template <class Line, class Write>
http::Reply ListReply(Call& call, std::string_view name, const std::vector<Line>& lines,
                      Write write) {
  ProjectDirectory names(call);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key(name);
  w.BeginList();
  for (const Line& line : lines) {
    Ptr<Workload> workload = call.state().Find<Workload>(line.workload);
    if (!workload) continue;
    const ProjectNames& project = names.Of(*workload);
    if (!Shows(project, *workload)) continue;
    w.Item();
    write(w, line, WorkloadRow{workload.get(), &project});
  }
  w.EndList();
  w.End();
  call.NeedsNoScope();
  return Json(std::move(out));
}

Result<Answer> ShowQueue(Call& call) {
  YARD_ASSIGN(Live * live, LiveOf(call));
  return OnLive([live, &call]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::vector<QueueLine> lines, live->Queue());
    return ListReply(call, "queue", lines,
                     [](wire::Writer& w, const QueueLine& line, const WorkloadRow& row) {
                       WriteLine(w, line, row);
                     });
  });
}

Result<Answer> ShowRunning(Call& call) {
  YARD_ASSIGN(Live * live, LiveOf(call));
  return OnLive([live, &call]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::vector<NthGpuLine> lines, live->NthGpuOrder());
    return ListReply(call, "running", lines,
                     [&call](wire::Writer& w, const NthGpuLine& line, const WorkloadRow& row) {
                       WriteLine(w, call, line, row);
                     });
  });
}

}  // namespace

void AddLiveQueueRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Need kRead = May(Action::kRead, Resource::kWorkloads);
  routes.insert(routes.end(),
                {{kGet, "/api/v1/queue", kRead, ShowQueue,
                  "Waiting workloads in the order of decision", "", "Queue"},
                 {kGet, "/api/v1/queue/running", kRead, ShowRunning,
                  "Running workloads by whose nth GPU they hold", "", "RunningOrder"}});
}

}  // namespace yard::api
