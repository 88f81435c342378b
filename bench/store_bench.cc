// The store next to plain SQLite: durable creations per second, and the time to load them.
//
// The peer writes the same bodies (the bytes of the stored objects, nothing else) into one table
// of one SQLite database on the same disk: WAL, synchronous=FULL, the same number of rows a
// transaction. Rounds of both alternate, so that a busy moment of the machine hits both; the
// best round of each counts.
// Usage: store_bench [--dir DIR] [--json FILE] [--rounds N]
//        store_bench --raw BATCH     prints only plain SQLite's rows a second at that batch size
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "store/sqlite/sqlite_db.h"
#include "store/sqlite/sqlite_store.h"
#include "wire/spec.h"
#include "wire/stored.h"

namespace yard::store {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kBodyBytes = 900;
constexpr std::size_t kLoadObjects = 100'000;
constexpr std::size_t kLoadBatch = 1'000;

double SecondsSince(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

template <class T>
T Must(Result<T> result) {
  if (!result) fmt::print(stderr, "{}\n", result.error().message);
  YARD_CHECK(result.has_value());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// A workload like those people submit, with a stored body of about kBodyBytes.
class WorkloadSource {
 public:
  Workload Next() {
    Time now{1'760'000'000'000'000 + 40 * ++count_};
    Workload workload;
    workload.id = WorkloadId{MakeUuid(now, random_)};
    workload.name = fmt::format("train-resnet-{}", count_);
    workload.requested_name = workload.name;
    workload.type = WorkloadType::kTraining;
    workload.project = ProjectId{7};
    workload.priority_class = "train";
    workload.phase_reason = "NoEngine";
    workload.phase_message = "No engine runs workloads of this cluster yet.";
    workload.stamp = {now, "ada@lab.org", now, "ada@lab.org"};
    workload.spec =
        wire::ReadSpecText(R"({"command":"python train.py","args":")" + padding_ + R"("})");
    if (padding_.empty()) Pad(workload);
    return workload;
  }
  Entry Creation() {
    Workload workload = Next();
    Entry entry{.at = workload.stamp.created_at,
                .origin = {.subject = "ada@lab.org",
                           .subject_type = "User",
                           .address = "10.1.2.3",
                           .method = "POST",
                           .url = "/api/v1/workloads/trainings",
                           .request_id = fmt::format("{:016x}", count_)}};
    entry.changes.push_back({.after = std::make_shared<const Workload>(std::move(workload))});
    return entry;
  }

 private:
  void Pad(Workload& workload) {
    std::size_t size = wire::EncodeStored(std::make_shared<const Workload>(workload)).size();
    padding_.assign(size < kBodyBytes ? kBodyBytes - size : 1, 'x');
    workload.spec =
        wire::ReadSpecText(R"({"command":"python train.py","args":")" + padding_ + R"("})");
  }

  SeededRandom random_{42};
  std::int64_t count_ = 0;
  std::string padding_;
};

std::vector<Entry> MakeBatch(WorkloadSource& source, std::size_t size) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < size; ++i) entries.push_back(source.Creation());
  return entries;
}

// Processor time of this process, background threads included: unlike the wall clock, hardly
// disturbed by other programs.
double CpuSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Rate {
  double rows = 0;          // per second
  double cpu_micros = 1e9;  // per row
  void KeepBest(const Rate& other) {
    rows = std::max(rows, other.rows);
    cpu_micros = std::min(cpu_micros, other.cpu_micros);
  }
};

struct Plan {
  std::size_t batch = 1;
  std::size_t commits = 1;
};

Rate RunStore(Store& store, WorkloadSource& source, Plan plan) {
  std::vector<std::vector<Entry>> batches;
  for (std::size_t i = 0; i < plan.commits; ++i) batches.push_back(MakeBatch(source, plan.batch));
  auto start = SteadyClock::now();
  double cpu = CpuSeconds();
  for (const auto& batch : batches) Must(store.Commit(batch));
  auto rows = static_cast<double>(plan.batch * plan.commits);
  return {rows / SecondsSince(start), (CpuSeconds() - cpu) * 1e6 / rows};
}

// An INSERT loop over bodies made beforehand.
Rate RunPlain(Database& database, WorkloadSource& source, Plan plan) {
  std::vector<std::string> bodies;
  for (std::size_t i = 0; i < plan.batch * plan.commits; ++i) {
    bodies.push_back(wire::EncodeStored(std::make_shared<const Workload>(source.Next())));
  }
  Statement insert = Must(database.Prepare("INSERT INTO plain(body) VALUES(?)"));
  auto start = SteadyClock::now();
  double cpu = CpuSeconds();
  for (std::size_t i = 0; i < plan.commits; ++i) {
    Must(database.Execute("BEGIN IMMEDIATE"));
    for (std::size_t row = 0; row < plan.batch; ++row) {
      Must(insert.Bind(bodies[i * plan.batch + row]).Run());
    }
    Must(database.Execute("COMMIT"));
  }
  auto rows = static_cast<double>(plan.batch * plan.commits);
  return {rows / SecondsSince(start), (CpuSeconds() - cpu) * 1e6 / rows};
}

struct Line {
  std::size_t batch = 0;
  Rate store;
  Rate plain;
};

Database OpenPlain(const std::string& path) {
  Database database = Must(Database::Open(path, OpenMode::kCreate));
  Must(
      database.Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
                       "CREATE TABLE plain(id INTEGER PRIMARY KEY, body TEXT NOT NULL)"));
  return database;
}

std::vector<Line> MeasureCommits(const std::string& directory, int rounds) {
  auto store = Must(OpenSqlite(directory + "/store"));
  Database plain = OpenPlain(directory + "/plain.db");
  WorkloadSource source;
  std::vector<Line> lines;
  for (Plan plan : {Plan{1, 1500}, Plan{32, 400}, Plan{256, 200}}) {
    Line line{.batch = plan.batch};
    for (int round = 0; round < rounds; ++round) {
      line.plain.KeepBest(RunPlain(plain, source, plan));
      line.store.KeepBest(RunStore(*store, source, plan));
    }
    lines.push_back(line);
    fmt::print("{:>17} {:>15.0f} {:>15.0f} {:>15.0f} {:>7.2f} {:>9.2f} {:>9.2f}\n", line.batch,
               line.store.rows / static_cast<double>(line.batch), line.store.rows, line.plain.rows,
               line.store.rows / line.plain.rows, line.store.cpu_micros, line.plain.cpu_micros);
  }
  return lines;
}

double MeasureLoad(const std::string& directory) {
  WorkloadSource source;
  {
    auto store = Must(OpenSqlite(directory));
    for (std::size_t done = 0; done < kLoadObjects; done += kLoadBatch) {
      Must(store->Commit(MakeBatch(source, kLoadBatch)));
    }
  }
  auto start = SteadyClock::now();
  auto store = Must(OpenSqlite(directory));
  std::size_t count = 0;
  Must(store->Load([&](Object) -> Status {
    ++count;
    return {};
  }));
  YARD_CHECK(count == kLoadObjects);
  return SecondsSince(start);
}

struct Options {
  std::string directory = std::filesystem::temp_directory_path();
  std::string json;
  int rounds = 5;
  std::size_t raw_batch = 0;  // not 0: measure plain SQLite only
};

Options ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string name = argv[i];
    if (name == "--dir") options.directory = argv[i + 1];
    if (name == "--json") options.json = argv[i + 1];
    if (name == "--rounds") options.rounds = std::atoi(argv[i + 1]);
    if (name == "--raw") options.raw_batch = std::strtoul(argv[i + 1], nullptr, 10);
  }
  return options;
}

void WriteJson(const std::string& path, const std::vector<Line>& lines, double load_seconds) {
  std::ofstream out(path);
  out << "{\"bench\":\"store\",\"commits\":[";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out << fmt::format(R"({}{{"batch":{},"storeRowsPerSecond":{:.0f},"plainRowsPerSecond":{:.0f},)"
                       R"("ratio":{:.3f}}})",
                       i == 0 ? "" : ",", lines[i].batch, lines[i].store.rows, lines[i].plain.rows,
                       lines[i].store.rows / lines[i].plain.rows);
  }
  out << fmt::format("],\"loadObjects\":{},\"loadSeconds\":{:.3f}}}\n", kLoadObjects, load_seconds);
}

void MeasureRaw(const std::string& directory, std::size_t batch) {
  Database plain = OpenPlain(directory + "/plain.db");
  WorkloadSource source;
  Rate rate = RunPlain(plain, source, {batch, batch == 1 ? 4000U : 60'000 / batch});
  fmt::print("{:.0f}\n", rate.rows);
}

int Main(const Options& options) {
  std::string directory = fmt::format("{}/gpuyard-store-bench-{}", options.directory, ::getpid());
  std::filesystem::create_directories(directory);
  if (options.raw_batch > 0) {
    MeasureRaw(directory, options.raw_batch);
    std::filesystem::remove_all(directory);
    return 0;
  }
  fmt::print("{:>17} {:>15} {:>15} {:>15} {:>7} {:>9} {:>9}\n", "creates a commit", "commits/s",
             "store rows/s", "SQLite rows/s", "ratio", "cpu us", "SQLite us");
  std::vector<Line> lines = MeasureCommits(directory, options.rounds);
  double load_seconds = MeasureLoad(directory + "/load");
  fmt::print("load of {} workloads: {:.2f} s\n", kLoadObjects, load_seconds);
  if (!options.json.empty()) WriteJson(options.json, lines, load_seconds);
  std::filesystem::remove_all(directory);
  return 0;
}

}  // namespace
}  // namespace yard::store

int main(int argc, char** argv) {
  return yard::store::Main(yard::store::ParseOptions(argc, argv));
}
