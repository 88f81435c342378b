#include "engine/slurm/data_courier.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/log.h"
#include "base/steady_clock.h"
#include "base/strings.h"
#include "engine/local/data_sets.h"
#include "engine/slurm/program.h"

namespace yard::engine::slurm {
namespace {

constexpr std::chrono::milliseconds kMoment(500);
constexpr std::size_t kBatchBytes = 16 << 20;
constexpr std::size_t kBatchFiles = 8192;
// Versions that are compared with the new one, the newest first.
constexpr std::size_t kMostBases = 8;
constexpr Micros kPackMost = Minutes(5);
// Of work that was cancelled meanwhile nobody fetches the answer.
constexpr Micros kAnswerKept = Minutes(1);

// A tar stream of these paths, made by this host's tar.
Result<std::string> Pack(const std::string& folder, std::span<const std::string> paths) {
  SpawnSpec tar;
  tar.argv = {"/usr/bin/env",
              "tar",
              "--create",
              "--file=-",
              "--directory=" + folder,
              "--no-recursion",
              "--hard-dereference",
              "--owner=0",
              "--group=0",
              "--null",
              "--files-from=-"};
  tar.envp = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
  YARD_ASSIGN(Output output, RunProgram(std::move(tar), PathList(paths), kPackMost));
  if (output.code == 0) return std::move(output.out);
  return Fail(Code::kUnavailable, fmt::format("cannot pack a data set: {}", Trim(output.err)));
}

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (std::string_view line : Split(text, '\n'))
    if (!line.empty()) lines.emplace_back(line);
  return lines;
}

// How the new folder is begun: from the version that has most of its files.
struct Start {
  std::string base;
  DataDelta delta;
};

// `all` is the project's folder here. What this host has no folder of any more cannot be compared.
Start BestStart(const std::string& all, std::span<const std::string> there,
                const DataItems& wanted) {
  Start best{"", Compare({}, wanted)};
  const std::size_t most = best.delta.sent.size();
  std::size_t tried = 0;
  for (const std::string& version : there) {
    if (version.ends_with(".part") || tried == kMostBases) continue;
    Result<DataItems> items = ListDataFolder(fmt::format("{}/{}", all, version));
    if (!items || items->empty()) continue;
    ++tried;
    DataDelta delta = Compare(*items, wanted);
    if (delta.shared > best.delta.shared) best = {version, std::move(delta)};
    if (best.delta.shared * 10 >= most * 9) break;
  }
  return best;
}

Result<std::string> ReadPiece(int file, std::uint64_t offset, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t got =
        ::pread(file, bytes.data() + filled, size - filled, static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return Fail(Code::kUnavailable, fmt::format("cannot read a file of a data set: {}",
                                                  got == 0 ? "it is short" : std::strerror(errno)));
    filled += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace

DataCourier::DataCourier(Cluster& cluster) : cluster_(cluster), thread_([this] { Run(); }) {}

DataCourier::~DataCourier() {
  {
    const std::lock_guard hold(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool DataCourier::stopping() {
  const std::lock_guard hold(mutex_);
  return stop_;
}

Status DataCourier::Ask(std::span<const Mount> mounts) {
  std::vector<std::string> sources;
  for (const Mount& mount : mounts)
    if (mount.kind == MountKind::kDataSet) sources.push_back(mount.source);
  if (sources.empty()) return {};
  std::unique_lock hold(mutex_);
  const Time stale = SteadyClock().Now() - kAnswerKept;
  std::erase_if(answers_, [&](const auto& one) { return one.second && one.second->at < stale; });
  for (const std::string& source : sources)
    if (answers_.try_emplace(source).second) waiting_.push_back(source);
  changed_.notify_all();
  auto is_known = [&](const std::string& source) {
    const auto found = answers_.find(source);
    return found != answers_.end() && found->second.has_value();
  };
  changed_.wait_for(hold, kMoment, [&] { return stop_ || std::ranges::all_of(sources, is_known); });
  Status all;
  for (const std::string& source : sources) {
    if (!is_known(source))
      return Fail(Code::kUnavailable, "a data set is on its way to the cluster");
    if (!answers_[source]->status) all = answers_[source]->status;
  }
  // The next job asks anew: the cluster's folder may have been cleaned meanwhile.
  for (const std::string& source : sources) answers_.erase(source);
  return all;
}

void DataCourier::Run() {
  std::unique_lock hold(mutex_);
  while (true) {
    changed_.wait(hold, [&] { return stop_ || !waiting_.empty(); });
    if (stop_) return;
    const std::string source = std::move(waiting_.front());
    waiting_.pop_front();
    hold.unlock();
    Status brought = Bring(source);
    hold.lock();
    answers_[source] = Answer{std::move(brought), SteadyClock().Now()};
    changed_.notify_all();
  }
}

// Without the site it is tried again; what the site refuses is told.
Result<std::string> DataCourier::Tell(const Command& command) {
  if (stopping()) return Fail(Code::kUnavailable, "the server stops");
  YARD_ASSIGN(Output output, cluster_.site().Run(command));
  if (output.code == 0) return std::move(output.out);
  std::string words(Trim(output.err));
  if (words.empty()) words = fmt::format("exit code {}", output.code);
  return Fail(Code::kInvalid,
              fmt::format("the data set cannot be written to {} on {}: {}", cluster_.layout().root,
                          cluster_.site().name(), words.substr(0, 500)),
              "is its quota used up? remove what is not needed there, then submit again");
}

Status DataCourier::Bring(const std::string& source) {
  YARD_ASSIGN(std::string folder, DataSetPath(cluster_.options().data_sets, source));
  const std::size_t slash = source.find('/');
  const DataPlace place{cluster_.layout().root, source.substr(0, slash), source.substr(slash + 1)};
  YARD_ASSIGN(const std::string names, Tell(DataLookScript(place)));
  const std::vector<std::string> there = LinesOf(names);
  if (std::ranges::find(there, place.version) != there.end()) return {};
  Status sent = Send(place, folder, there);
  if (!sent) (void)cluster_.site().Run(DataGiveUpScript(place));
  return sent;
}

Status DataCourier::Send(const DataPlace& place, const std::string& folder,
                         const std::vector<std::string>& there) {
  const Time begun = SteadyClock().Now();
  YARD_ASSIGN(const DataItems items, ListDataFolder(folder));
  const std::string all = folder.substr(0, folder.rfind('/'));
  const Start start = BestStart(all, there, items);
  YARD_TRY(Tell(DataBeginScript(place, start.base, start.delta.removed)));
  if (!start.delta.folders.empty()) YARD_TRY(Tell(DataFoldersScript(place, start.delta.folders)));
  YARD_TRY(SendFiles(place, folder, items, start.delta.sent));
  YARD_TRY(Tell(DataFinishScript(place)));
  log::Info("a data set is on the cluster",
            {{"version", place.version},
             {"sent", fmt::to_string(start.delta.sent.size())},
             {"shared", fmt::to_string(start.delta.shared)},
             {"ms", fmt::to_string((SteadyClock().Now() - begun).value / 1000)}});
  return {};
}

Status DataCourier::SendFiles(const DataPlace& place, const std::string& folder,
                              const DataItems& items, const std::vector<std::string>& paths) {
  std::vector<std::string> batch;
  std::size_t bytes = 0;
  auto flush = [&]() -> Status {
    if (batch.empty()) return {};
    YARD_ASSIGN(std::string archive, Pack(folder, batch));
    batch.clear();
    bytes = 0;
    YARD_TRY(Tell(DataTakeScript(place, std::move(archive))));
    return {};
  };
  for (const std::string& path : paths) {
    const DataItem& item = items.at(path);
    if (item.size > kBatchBytes) {
      YARD_TRY(SendLarge(place, folder, path, item));
      continue;
    }
    batch.push_back(path);
    bytes += item.size;
    if (bytes >= kBatchBytes || batch.size() >= kBatchFiles) YARD_TRY(flush());
  }
  return flush();
}

Status DataCourier::SendLarge(const DataPlace& place, const std::string& folder,
                              const std::string& path, const DataItem& item) {
  const UniqueFd file(
      ::open(fmt::format("{}/{}", folder, path).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file)
    return Fail(Code::kUnavailable, fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  for (std::uint64_t at = 0; at < item.size; at += kBatchBytes) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(kBatchBytes, item.size - at));
    YARD_ASSIGN(std::string bytes, ReadPiece(file.get(), at, size));
    YARD_TRY(Tell(DataPieceScript(place, {path, at, std::move(bytes)})));
  }
  YARD_TRY(Tell(DataMarkScript(place, {path, item.mode, item.mtime})));
  return {};
}

}  // namespace yard::engine::slurm
