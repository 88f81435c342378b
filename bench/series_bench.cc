// The series store next to plain SQLite: points acknowledged and durable in a second, bytes a
// point, the time of a chart.
//
// The peer keeps one row a point, keyed by run, metric, step, time and value as MLflow's table is:
// WAL, synchronous=FULL, one transaction for as many batches as there are writers, which is the
// most a group commit can join. Rounds of both alternate, so that a busy moment of the machine hits
// both. Usage: series_bench [--dir DIR] [--json FILE] [--seconds N] [--only
// append|codecs|charts|metrics]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "bench/series_kinds.h"
#include "store/series/block.h"
#include "store/series/series_store.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::int64_t kStart = 1'760'000'000'000'000;
constexpr std::size_t kMetrics = 10;

struct Settings {
  std::string directory = "build/bench/series";
  std::string json;
  std::string only;
  double seconds = 2;
  std::string results;  // members of the JSON object
};

double SecondsSince(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

template <class T>
T Must(Result<T> result) {
  if (!result) fmt::print(stderr, "{}\n", result.error().message);
  YARD_CHECK(result.has_value());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

std::string FreshDirectory(const Settings& settings, std::string_view name) {
  std::string path = fmt::format("{}/{}", settings.directory, name);
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

void Keep(Settings& settings, const std::string& name, double value) {
  settings.results +=
      fmt::format("{}\n  \"{}\": {:.3f}", settings.results.empty() ? "" : ",", name, value);
}

// One call of a training loop that logs kMetrics metrics, or several calls at once.
SeriesBatch MakeBatch(std::size_t writer, std::int64_t first, std::size_t points) {
  SeriesBatch batch{.run = RunKey{fmt::format("run-{}", writer)}, .series = {}};
  auto steps = static_cast<std::int64_t>(points / kMetrics);
  for (std::size_t metric = 0; metric < kMetrics; ++metric) {
    SeriesPoints series{.name = fmt::format("train/metric-{}", metric), .points = {}};
    for (std::int64_t i = first; i < first + steps; ++i) {
      double value = static_cast<float>(0.3 + 0.01 * static_cast<double>((i * 7919) % 1000));
      series.points.push_back({.step = i, .time = Time{kStart + i * 50'000}, .value = value});
    }
    batch.series.push_back(std::move(series));
  }
  return batch;
}

double StoreRate(const Settings& settings, std::size_t writers, std::size_t points) {
  auto store = Must(OpenSeries(FreshDirectory(settings, "append")));
  std::atomic<std::uint64_t> acknowledged = 0;
  auto start = SteadyClock::now();
  {
    std::vector<std::jthread> threads;
    for (std::size_t writer = 0; writer < writers; ++writer) {
      threads.emplace_back([&, writer] {
        auto steps = static_cast<std::int64_t>(points / kMetrics);
        for (std::int64_t at = 0; SecondsSince(start) < settings.seconds; at += steps) {
          Must(store->Append(MakeBatch(writer, at, points)));
          acknowledged += points;
        }
      });
    }
  }
  return static_cast<double>(acknowledged) / SecondsSince(start);
}

void InsertBatch(Statement& insert, const SeriesBatch& batch) {
  for (const SeriesPoints& series : batch.series) {
    for (const MetricPoint& point : series.points) {
      Must(insert.Bind(batch.run.text)
               .Bind(series.name)
               .Bind(point.step)
               .Bind(point.time.micros)
               .Bind(OrderedBits(point.value))
               .Run());
    }
  }
}

Database OpenPeer(const std::string& directory) {
  Database database = Must(Database::Open(directory + "/peer.db", OpenMode::kCreate));
  Must(
      database.Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                       "CREATE TABLE metric(run TEXT, name TEXT, step INTEGER, time INTEGER, "
                       "value INTEGER, PRIMARY KEY(run, name, step, time, value)) WITHOUT ROWID"));
  return database;
}

double PeerRate(const Settings& settings, std::size_t writers, std::size_t points) {
  Database database = OpenPeer(FreshDirectory(settings, "peer"));
  Statement insert = Must(database.Prepare("INSERT INTO metric VALUES(?, ?, ?, ?, ?)"));
  std::uint64_t acknowledged = 0;
  auto steps = static_cast<std::int64_t>(points / kMetrics);
  auto start = SteadyClock::now();
  for (std::int64_t at = 0; SecondsSince(start) < settings.seconds; at += steps) {
    Must(database.Execute("BEGIN IMMEDIATE"));
    for (std::size_t writer = 0; writer < writers; ++writer) {
      InsertBatch(insert, MakeBatch(writer, at, points));
    }
    Must(database.Execute("COMMIT"));
    acknowledged += writers * points;
  }
  return static_cast<double>(acknowledged) / SecondsSince(start);
}

void MeasureAppends(Settings& settings) {
  fmt::print("\npoints a second, acknowledged and durable\n{:>8} {:>13} {:>12} {:>12} {:>6}\n",
             "writers", "points a call", "store", "plain SQLite", "ratio");
  for (std::size_t points : {kMetrics, 100 * kMetrics}) {
    for (std::size_t writers : {1, 16, 256}) {
      double store = 0;
      double peer = 0;
      for (int round = 0; round < 3; ++round) {
        store = std::max(store, StoreRate(settings, writers, points));
        peer = std::max(peer, PeerRate(settings, writers, points));
      }
      fmt::print("{:>8} {:>13} {:>12.0f} {:>12.0f} {:>6.2f}\n", writers, points, store, peer,
                 store / peer);
      Keep(settings, fmt::format("store_{}x{}", writers, points), store);
      Keep(settings, fmt::format("sqlite_{}x{}", writers, points), peer);
    }
  }
}

double PerPoint(std::span<const MetricPoint> points,
                std::size_t (*measure)(std::span<const MetricPoint>)) {
  std::size_t bytes = 0;
  for (std::size_t at = 0; at < points.size(); at += kBlockPoints) {
    bytes += measure(points.subspan(at, std::min(kBlockPoints, points.size() - at)));
  }
  return static_cast<double>(bytes) / static_cast<double>(points.size());
}

void Fill(SeriesStore& store, const std::string& name, std::span<const MetricPoint> points) {
  constexpr std::size_t kPart = 100'000;
  for (; !points.empty(); points = points.subspan(std::min(kPart, points.size()))) {
    std::span part = points.first(std::min(kPart, points.size()));
    Must(store.Append({.run = RunKey{"run"}, .series = {{name, {part.begin(), part.end()}}}}));
  }
  Must(store.Flush());
}

double OnDisk(const Settings& settings, const std::vector<MetricPoint>& points) {
  std::string directory = FreshDirectory(settings, "kinds");
  auto store = Must(OpenSeries(directory));
  Fill(*store, "metric", points);
  Must(store->Compact());
  store.reset();
  std::uintmax_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(directory)) bytes += file.file_size();
  return static_cast<double>(bytes) / static_cast<double>(points.size());
}

void MeasureCodecs(Settings& settings) {
  constexpr std::size_t kPoints = 400'000;
  fmt::print("\nbytes a point (24 without a codec)\n{:>42} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n",
             "", "gorilla", "+zstd", "planes", "own", "+zstd", "on disk");
  for (const MetricKind& kind : MetricKinds()) {
    std::vector<MetricPoint> points = kind.make(kPoints);
    double on_disk = OnDisk(settings, points);
    fmt::print("{:>42} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f}\n", kind.name,
               PerPoint(points, GorillaBytes), PerPoint(points, GorillaZstdBytes),
               PerPoint(points, ColumnsZstdBytes), PerPoint(points, OwnBytes),
               PerPoint(points, OwnZstdBytes), on_disk);
    Keep(settings, fmt::format("bytes: {}", kind.name), on_disk);
  }
}

template <class Work>
double MedianMillis(Work work) {
  std::vector<double> times;
  for (int round = 0; round < 15; ++round) {
    auto start = SteadyClock::now();
    work();
    times.push_back(SecondsSince(start) * 1000);
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

double PeerChart(Database& database, std::size_t points) {
  Statement query = Must(database.Prepare(
      "SELECT step*320/?, min(value), max(value) FROM metric WHERE run='run-0' AND "
      "name='m' GROUP BY 1"));
  return MedianMillis([&] {
    query.Bind(static_cast<std::int64_t>(points));
    std::size_t rows = 0;
    while (Must(query.Step())) ++rows;
    YARD_CHECK(rows == 320);
  });
}

void MeasureChart(Settings& settings, std::size_t count) {
  std::vector<MetricPoint> points = MetricKinds().front().make(count);
  std::string directory = FreshDirectory(settings, "chart");
  auto store = Must(OpenSeries(directory));
  Fill(*store, "m", points);
  store.reset();
  auto start = SteadyClock::now();
  store = Must(OpenSeries(directory));
  double open_ms = SecondsSince(start) * 1000;
  SeriesKey key{RunKey{"run"}, "m"};
  double chart_ms =
      MedianMillis([&] { YARD_CHECK(Must(store->Draw(key, {})).pixels.size() == 320); });
  double page_ms = MedianMillis([&] { Must(store->Read(key, {.limit = 25'000})); });
  Database peer = OpenPeer(FreshDirectory(settings, "peer"));
  Statement insert = Must(peer.Prepare("INSERT INTO metric VALUES(?, ?, ?, ?, ?)"));
  Must(peer.Execute("BEGIN"));
  InsertBatch(insert, {.run = RunKey{"run-0"}, .series = {{"m", points}}});
  Must(peer.Execute("COMMIT"));
  double peer_ms = PeerChart(peer, count);
  fmt::print(
      "{:>10} points: chart {:.2f} ms (plain SQLite {:.1f} ms), first 25,000 {:.2f} ms, "
      "open {:.1f} ms\n",
      count, chart_ms, peer_ms, page_ms, open_ms);
  Keep(settings, fmt::format("chart_ms_{}", count), chart_ms);
  Keep(settings, fmt::format("sqlite_chart_ms_{}", count), peer_ms);
}

void MeasureCharts(Settings& settings) {
  fmt::print("\n320 pixels\n");
  MeasureChart(settings, 1'000'000);
  MeasureChart(settings, 10'000'000);
}

void MeasureManyMetrics(Settings& settings) {
  constexpr int kMany = 10'000;
  std::string directory = FreshDirectory(settings, "many");
  auto store = Must(OpenSeries(directory));
  auto start = SteadyClock::now();
  for (std::int64_t step = 0; step < 100; ++step) {
    SeriesBatch batch{.run = RunKey{"run"}, .series = {}};
    for (int i = 0; i < kMany; ++i) {
      batch.series.push_back({fmt::format("layer/{}/norm", i),
                              {{step, Time{kStart + step * 1'000'000}, static_cast<float>(i)}}});
    }
    Must(store->Append(std::move(batch)));
  }
  double append_s = SecondsSince(start);
  Must(store->Flush());
  double flush_s = SecondsSince(start) - append_s;
  double list_ms =
      MedianMillis([&] { YARD_CHECK(Must(store->List(RunKey{"run"})).size() == kMany); });
  double chart_ms = MedianMillis([&] { Must(store->Draw({RunKey{"run"}, "layer/77/norm"}, {})); });
  fmt::print(
      "\n10,000 metrics of 100 steps: {:.0f} points/s, the rest in blocks after {:.2f} s, list "
      "{:.1f} ms, chart of one {:.2f} ms\n",
      100.0 * kMany / append_s, flush_s, list_ms, chart_ms);
  Keep(settings, "list_10000_ms", list_ms);
}

// `./dev bench` names the result as Google Benchmark has it.
Settings Parse(int argc, char** argv) {
  constexpr std::string_view kOut = "--benchmark_out=";
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    std::string_view name = argv[i];
    std::string_view value = i + 1 < argc ? argv[i + 1] : "";
    if (name.starts_with(kOut)) settings.json = name.substr(kOut.size());
    if (name == "--dir") settings.directory = value;
    if (name == "--json") settings.json = value;
    if (name == "--only") settings.only = value;
    if (name == "--seconds") settings.seconds = std::atof(argv[i + 1]);
  }
  return settings;
}

void Measure(Settings settings) {
  auto wanted = [&](std::string_view part) {
    return settings.only.empty() || settings.only == part;
  };
  if (wanted("append")) MeasureAppends(settings);
  if (wanted("codecs")) MeasureCodecs(settings);
  if (wanted("charts")) MeasureCharts(settings);
  if (wanted("metrics")) MeasureManyMetrics(settings);
  std::filesystem::remove_all(settings.directory);
  if (!settings.json.empty()) std::ofstream(settings.json) << "{" << settings.results << "\n}\n";
}

}  // namespace
}  // namespace yard::store

int main(int argc, char** argv) {
  yard::store::Measure(yard::store::Parse(argc, argv));
}
