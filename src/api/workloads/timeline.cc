// Who held which GPU when: attempts that overlap a span of time.
#include <algorithm>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/workloads/workload_views.h"
#include "model/archive.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

// More than a page can draw.
constexpr std::size_t kMostAttempts = 5000;

struct Span {
  Time start;
  Time end;
};

struct Line {
  const Attempt* attempt;
  Ptr<Workload> workload;
  const ProjectNames* names;
};

Result<Time> TimeOf(const Call& call, std::string_view name) {
  std::optional<Time> time = ParseRfc3339(call.Query(name).value_or(""));
  if (time) return *time;
  return Fail(Code::kInvalid,
              fmt::format("{}: a time such as 2026-01-31T00:00:00Z is needed", name));
}

Result<Span> SpanOf(const Call& call) {
  Span span;
  YARD_ASSIGN(span.start, TimeOf(call, "start"));
  YARD_ASSIGN(span.end, TimeOf(call, "end"));
  if (span.end < span.start) return Fail(Code::kInvalid, "end: lies before start");
  return span;
}

bool HasGpus(const Attempt& attempt) {
  return std::ranges::any_of(attempt.places,
                             [](const TaskPlace& place) { return !place.gpus.empty(); });
}

bool Overlaps(const Attempt& attempt, const Span& span) {
  return attempt.placed_at < span.end && (!attempt.end || span.start < attempt.end->at);
}

// Where the caller may see machines: whoever may anywhere inside a cluster sees all of it.
std::vector<ScopePath> PlacesOfMachines(const Call& call) {
  return control::Access(call.state(), call.who()).Where(Resource::kNodes, Action::kRead);
}

bool Sees(const std::vector<ScopePath>& machines, ClusterId id) {
  const ScopePath cluster{.cluster = id};
  return std::ranges::any_of(machines, [&](const ScopePath& path) {
    return path.Covers(cluster) || cluster.Covers(path);
  });
}

// What the caller may see, and what holds GPUs without a name for the caller.
struct Lines {
  std::vector<Line> seen;
  std::vector<const Attempt*> others;
  std::vector<ArchivedWorkload> archived;  // that the lines borrow from
};

Result<Lines> LinesIn(Call& call, ProjectDirectory& names, const Span& span) {
  Lines lines;
  const std::vector<ScopePath> machines = PlacesOfMachines(call);
  auto add = [&](const Ptr<Workload>& workload, const Attempt& attempt) {
    if (!workload || !Overlaps(attempt, span) || !HasGpus(attempt)) return;
    const ProjectNames& project = names.Of(*workload);
    if (Shows(project, *workload)) lines.seen.push_back({&attempt, workload, &project});
    // GPUs are named to those who may see the machines.
    else if (Sees(machines, workload->host()))
      lines.others.push_back(&attempt);
  };
  ArchiveFilter filter;
  filter.held_within = {span.start, span.end};
  YARD_TRY(call.state().archive().Each(filter, [&](const ArchivedWorkload& past) -> Status {
    if (!call.state().Find<Workload>(past.workload->id)) lines.archived.push_back(past);
    return {};
  }));
  for (const ArchivedWorkload& past : lines.archived) {
    for (const Ptr<Attempt>& attempt : past.attempts) add(past.workload, *attempt);
  }
  call.state().Of<Attempt>().Each(
      [&](const Attempt& attempt) { add(call.state().Find<Workload>(attempt.workload), attempt); });
  std::ranges::sort(lines.seen, {}, [](const Line& line) { return line.attempt->id; });
  std::ranges::sort(lines.others, {}, &Attempt::id);
  return lines;
}

// The newest ones, if there are too many; says how many are left out.
template <class T>
std::size_t KeepNewest(std::vector<T>& list) {
  if (list.size() <= kMostAttempts) return 0;
  const std::size_t left_out = list.size() - kMostAttempts;
  list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(left_out));
  return left_out;
}

// When its limit ends it, if it has one and runs.
std::optional<Time> LimitOf(const Line& line) {
  if (line.attempt->end) return std::nullopt;
  return DeadlineOf(line.workload->rules, *line.attempt);
}

// When its GPUs were not its own; the last may go on.
void WriteAbsences(wire::Writer& w, const Attempt& attempt) {
  w.Key("absences");
  w.BeginList();
  auto write = [&w](Time from, std::optional<Time> to) {
    w.Item();
    w.Begin();
    w("from", from);
    w.OrNull("to", to);
    w.End();
  };
  for (const Absence& absence : attempt.absences) write(absence.from, absence.to);
  std::optional<Time> end;
  if (attempt.end) end = attempt.end->at;
  if (!HoldsGpus(attempt)) write(attempt.residence_since, end);
  w.EndList();
}

void WriteHolds(wire::Writer& w, const Attempt& attempt) {
  w.Key("holds");
  w.BeginList();
  for (const TaskPlace& place : attempt.places) {
    for (const std::string& uuid : place.gpus) {
      w.Item();
      w.Begin();
      w("gpu", uuid);
      w("node", place.node);
      w("part", static_cast<double>(place.each.value) / 1000);
      w.End();
    }
  }
  w.EndList();
}

void WriteLine(wire::Writer& w, const Line& line) {
  const std::optional<AttemptEnd>& end = line.attempt->end;
  w.Begin();
  w("workloadId", line.workload->id);
  w("name", line.workload->name);
  w("projectName", line.names->project);
  w("userName", line.workload->stamp.created_by);
  w("number", line.attempt->number);
  w("placedAt", line.attempt->placed_at);
  w.OrNull("startedAt", line.attempt->started_at);
  w.OrNull("endedAt", end ? std::optional(end->at) : std::nullopt);
  w.OrNull("endsBy", LimitOf(line));
  w.OrNull("cause", end ? std::optional(Name(end->cause)) : std::nullopt);
  WriteHolds(w, *line.attempt);
  WriteAbsences(w, *line.attempt);
  w.End();
}

void WriteOther(wire::Writer& w, const Attempt& attempt) {
  const std::optional<AttemptEnd>& end = attempt.end;
  w.Begin();
  w("placedAt", attempt.placed_at);
  w.OrNull("endedAt", end ? std::optional(end->at) : std::nullopt);
  WriteHolds(w, attempt);
  WriteAbsences(w, attempt);
  w.End();
}

std::string Render(Lines lines) {
  const std::size_t left_out = KeepNewest(lines.seen) + KeepNewest(lines.others);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("leftOut", static_cast<std::int64_t>(left_out));
  w.Key("attempts");
  w.BeginList();
  for (const Line& line : lines.seen) {
    w.Item();
    WriteLine(w, line);
  }
  w.EndList();
  w.Key("others");
  w.BeginList();
  for (const Attempt* attempt : lines.others) {
    w.Item();
    WriteOther(w, *attempt);
  }
  w.EndList();
  w.End();
  return out;
}

Result<Answer> ShowTimeline(Call& call) {
  YARD_ASSIGN(Span span, SpanOf(call));
  auto work = [&call, span]() -> Result<Slow::Outcome> {
    ProjectDirectory names(call);
    YARD_ASSIGN(Lines lines, LinesIn(call, names, span));
    call.NeedsNoScope();
    return Json(Render(std::move(lines)));
  };
  return Slow{.work = std::move(work)};
}

}  // namespace

void AddTimelineRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet,
                    "/api/v1/timeline",
                    May(Action::kRead, Resource::kWorkloads),
                    ShowTimeline,
                    "Attempts that held GPUs in a span of time",
                    "",
                    "Timeline",
                    200,
                    {{"start", "time", true}, {"end", "time", true}}});
}

}  // namespace yard::api
