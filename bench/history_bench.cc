// What a long history costs: ended workloads in the archive of the store.
//
// Every workload goes through the store's own transactions as the server writes them: made, placed,
// running, ended, with its attempt and its events, then moved to the archive. Reading happens in a
// process of its own, so that its memory is that of a server that has just started.
// Usage: history_bench fill DIR COUNT
//        history_bench read DIR
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/random.h"
#include "base/strings.h"
#include "store/sqlite/sqlite_store.h"
#include "wire/spec.h"

namespace yard::store {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr Time kBegin{1'760'000'000'000'000};
constexpr std::int64_t kBatch = 500;
constexpr int kRounds = 200;
constexpr int kProjects = 40;
constexpr int kPeople = 200;

double MillisSince(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

template <class T>
T Must(Result<T> result) {
  if (!result) fmt::print(stderr, "{}\n", result.error().message);
  YARD_CHECK(result.has_value());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

template <class T>
Ptr<T> Share(const T& value) {
  return std::make_shared<const T>(value);
}

// One trivial job after the other, spread over a year.
class Jobs {
 public:
  explicit Jobs(std::int64_t count) : between_(Days(365).value / count) {}

  // Adds its entries and returns how it ended.
  ArchiveItem Add(std::vector<Entry>& entries) {
    const Time made_at = kBegin + Micros(between_ * number_++);
    Workload made = Make(made_at);
    Attempt placed{.id = AttemptId(MakeUuid(made_at, random_)),
                   .workload = made.id,
                   .pool = NodePoolId{1},
                   .places = {{.node = "node-1", .gpus = {}, .each = {}}},
                   .placed_at = made_at + Seconds(1)};
    Workload starting = Moved(made, Life::kStarting, placed.placed_at);
    starting.attempt = placed.id;
    starting.attempts = 1;
    Attempt runs = placed;
    runs.started_at = placed.placed_at + Seconds(1);
    Workload running = Moved(starting, Life::kRunning, *runs.started_at);
    Attempt over = runs;
    over.end = {
        .cause = EndCause::kCompleted, .exit_code = 0, .at = *runs.started_at + Seconds(20)};
    over.end->message = "Every task exited with 0.";
    over.used = AttemptUse{.cpu = Seconds(19), .memory_peak = Mebibytes(12)};
    const bool failed = random_.Below(20) == 0;
    Workload ended = Moved(running, failed ? Life::kFailed : Life::kCompleted, over.end->at);
    ended.completed_at = over.end->at;
    Commit(entries, made.stamp.created_by, {{}, Share(made)}, {});
    Commit(entries, "system", {Share(made), Share(starting)}, {{}, Share(placed)});
    Commit(entries, "system", {Share(starting), Share(running)}, {Share(placed), Share(runs)});
    Commit(entries, "system", {Share(running), Share(ended)}, {Share(runs), Share(over)});
    return {.past = {Share(ended), {Share(over)}},
            .expires = over.end->at + Days(3650),
            .used = {.attempts = 1, .time = Seconds(21), .cpu = Seconds(19)}};
  }

 private:
  Workload Make(Time at) {
    Workload workload;
    workload.id = WorkloadId(MakeUuid(at, random_));
    workload.name = fmt::format("trial-{:x}-{}", random_.Below(1 << 16), number_);
    workload.requested_name = workload.name;
    workload.type = WorkloadType::kTraining;
    workload.project = ProjectId(1 + static_cast<std::int64_t>(random_.Below(kProjects)));
    workload.department = DepartmentId(1 + workload.project.value % 5);
    workload.priority_class = "train";
    workload.stamp = {at, fmt::format("person-{}@lab.org", random_.Below(kPeople)), at, "system"};
    workload.spec = wire::ReadSpecText(fmt::format(
        R"({{"command":"true","environmentVariables":[{{"name":"TRIAL","value":"{}"}}]}})",
        number_));
    return workload;
  }

  static Workload Moved(const Workload& before, Life life, Time at) {
    Workload after = before;
    after.life = life;
    after.phase_since = at;
    after.phase_message = "A sentence about the phase that it has come into.";
    after.stamp.updated_at = at;
    return after;
  }

  void Commit(std::vector<Entry>& entries, std::string subject, Change workload, Change attempt) {
    const auto& after = std::get<Ptr<Workload>>(*workload.after);
    Entry entry{.at = after->phase_since, .origin = {.subject = std::move(subject)}};
    entry.events.push_back({.id = MakeUuid(entry.at, random_),
                            .workload = after->id,
                            .at = entry.at,
                            .type = "Normal",
                            .reason = std::string(Name(after->phase())),
                            .message = after->phase_message,
                            .source = std::string(kPhaseSource)});
    entry.changes.push_back(std::move(workload));
    if (attempt.after) entry.changes.push_back(std::move(attempt));
    entries.push_back(std::move(entry));
  }

  const std::int64_t between_;
  std::int64_t number_ = 0;
  SeededRandom random_{5};
};

void Fill(const std::string& directory, std::int64_t count) {
  std::unique_ptr<Store> store = Must(OpenSqlite(directory));
  Jobs jobs(count);
  const auto start = SteadyClock::now();
  double moving = 0;
  for (std::int64_t done = 0; done < count; done += kBatch) {
    std::vector<Entry> entries;
    std::vector<ArchiveItem> items;
    for (std::int64_t i = 0; i < kBatch; ++i) items.push_back(jobs.Add(entries));
    Must(store->Commit(entries));
    const auto begin = SteadyClock::now();
    Must(store->MoveToArchive(items));
    moving += MillisSince(begin);
  }
  fmt::print("filled {} in {:.0f} s, of these {:.0f} s of moving to the archive\n", count,
             MillisSince(start) / 1000, moving / 1000);
}

double ResidentMebibytes() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

template <class Ask>
void Measure(std::string_view what, int rounds, Ask ask) {
  std::vector<double> times;
  std::int64_t found = 0;
  for (int i = 0; i < rounds; ++i) {
    const auto start = SteadyClock::now();
    found = ask(i);
    times.push_back(MillisSince(start));
  }
  std::ranges::sort(times);
  fmt::print("{:<58} p50 {:8.2f} ms  p99 {:8.2f} ms  ({} found)\n", what, times[times.size() / 2],
             times[times.size() * 99 / 100], found);
}

ArchiveTerm Term(ArchiveField field, ArchiveCompare compare, ArchiveValue value) {
  return {.field = field, .compare = compare, .values = {std::move(value)}};
}

// A page with the workloads themselves, as a list shows them.
std::int64_t ReadPage(Store& store, const ArchiveQuery& query) {
  const ArchivePage page = Must(store.ReadArchive(query));
  std::vector<WorkloadId> ids;
  for (const ArchiveKey& key : page.keys) ids.push_back(key.id);
  Must(store.ReadArchived(ids));
  return page.total;
}

ArchiveQuery Sorted(ArchiveField field, std::size_t offset = 0) {
  ArchiveQuery query{.sort_by = field, .descending = true, .offset = offset, .limit = 50};
  query.filter.deleted = false;
  return query;
}

void MeasurePages(Store& store) {
  Measure("page by creation, newest first", kRounds, [&](int i) {
    return ReadPage(store, Sorted(ArchiveField::kCreated, static_cast<std::size_t>(i) * 50));
  });
  Measure("page of one project by name", kRounds, [&](int i) {
    ArchiveQuery query = Sorted(ArchiveField::kName);
    query.filter.projects = {ProjectId(1 + i % kProjects)};
    return ReadPage(store, query);
  });
  Measure("page of failed work by end", kRounds, [&](int) {
    ArchiveQuery query = Sorted(ArchiveField::kEnded);
    query.filter.all_of = {Term(ArchiveField::kPhase, ArchiveCompare::kEqual, "Failed")};
    return ReadPage(store, query);
  });
  Measure("page of one person's work by creation", kRounds, [&](int i) {
    ArchiveQuery query = Sorted(ArchiveField::kCreated);
    query.filter.all_of = {Term(ArchiveField::kOwner, ArchiveCompare::kEqual,
                                fmt::format("person-{}@lab.org", i % kPeople))};
    return ReadPage(store, query);
  });
  Measure("page of one person's failed work in a project by name", kRounds, [&](int i) {
    ArchiveQuery query = Sorted(ArchiveField::kName);
    query.filter.projects = {ProjectId(1 + i % kProjects)};
    query.filter.all_of = {Term(ArchiveField::kPhase, ArchiveCompare::kEqual, "Failed"),
                           Term(ArchiveField::kOwner, ArchiveCompare::kEqual,
                                fmt::format("person-{}@lab.org", i % kPeople))};
    return ReadPage(store, query);
  });
}

void MeasureSearch(Store& store) {
  auto search = [&](std::string part) {
    ArchiveQuery query = Sorted(ArchiveField::kCreated);
    for (ArchiveField field :
         {ArchiveField::kName, ArchiveField::kOwner, ArchiveField::kType, ArchiveField::kPhase}) {
      query.filter.any_of.push_back(Term(field, ArchiveCompare::kContains, part));
    }
    return ReadPage(store, query);
  };
  constexpr int kFew = 20;
  Measure("search for a few names", kFew, [&](int i) { return search(fmt::format("-{}77", i)); });
  Measure("search for what nothing has", kFew, [&](int) { return search("nowhere"); });
  Measure("search for what most names have", kFew, [&](int) { return search("trial"); });
}

void Read(const std::string& directory) {
  const auto start = SteadyClock::now();
  std::unique_ptr<Store> store = Must(OpenSqlite(directory));
  std::int64_t live = 0;
  Must(store->Load([&](const Object&) -> Status {
    ++live;
    return {};
  }));
  std::int64_t count = 0;
  for (const ArchiveCount& one : Must(store->CountArchive())) count += one.workloads;
  fmt::print("{} archived, {} live objects; open and load {:.0f} ms, {:.0f} MiB resident\n", count,
             live, MillisSince(start), ResidentMebibytes());
  const auto bytes = std::filesystem::file_size(directory + "/gpuyard.db");
  fmt::print("{:.2f} KiB of database for each\n",
             static_cast<double>(bytes) / 1024 / static_cast<double>(count));
  MeasurePages(*store);
  MeasureSearch(*store);
  Measure("usage report of a year", 20, [&](int) {
    ArchiveFilter filter;
    filter.held_within = {kBegin, kBegin + Days(365)};
    std::int64_t workloads = 0;
    for (const ArchiveUsage& one : Must(store->SumArchive(filter))) workloads += one.workloads;
    filter.beyond_whole_days = true;
    Must(store->EachArchived(filter, [&](const ArchivedWorkload&) -> Status {
      ++workloads;
      return {};
    }));
    return workloads;
  });
  fmt::print("{:.0f} MiB resident at the end\n", ResidentMebibytes());
}

}  // namespace
}  // namespace yard::store

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 3 && arguments[0] == "fill") {
    yard::store::Fill(arguments[1], yard::ParseInt(arguments[2]).value_or(100'000));
    return 0;
  }
  if (arguments.size() == 2 && arguments[0] == "read") {
    yard::store::Read(arguments[1]);
    return 0;
  }
  fmt::print(stderr, "usage: history_bench fill DIR COUNT | read DIR\n");
  return 2;
}
