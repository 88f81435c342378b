// The audit half of the keeper: what NVML sees of all processes of a workload, against what was
// reserved and against the limit in the keeper's own memory.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <utility>

#include "slice/agent/keeper.h"

namespace yard::slice {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMib = 1ULL << 20;
constexpr std::uint64_t kTolerated = 64 * kMib;  // two chunks of a pool on their way
constexpr int kTolerantRounds = 2;               // a tenth of a second apart

std::uint64_t UseOf(const std::vector<pid_t>& pids, const UseByPid& use) {
  std::uint64_t sum = 0;
  for (const pid_t pid : pids)
    if (const auto found = use.find(pid); found != use.end()) sum += found->second;
  return sum;
}

std::vector<pid_t> RegisteredIn(const Slice& slice) {
  std::vector<pid_t> pids;
  for (const Member& member : slice.members()) pids.push_back(member.pid);
  return pids;
}

std::string CommandOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

std::string InMib(std::uint64_t bytes) {
  return std::to_string(bytes / kMib) + " MiB";
}

// Who holds most that is not in the books, and the way that it must have come by it.
std::string DescribeHolder(const Slice& slice, int gpu, const std::vector<pid_t>& pids,
                           const UseByPid& use) {
  pid_t worst = 0;
  std::uint64_t most = 0;
  for (const pid_t pid : pids) {
    const auto held = use.find(pid);
    if (held == use.end()) continue;
    const std::uint64_t charged = slice.ChargedBy(pid, gpu).value_or(0);
    const std::uint64_t hidden = held->second - std::min(held->second, charged);
    if (worst != 0 && hidden <= most) continue;
    worst = pid;
    most = hidden;
  }
  const bool registered = slice.ChargedBy(worst, gpu).has_value();
  return "process " + std::to_string(worst) + " (" + CommandOf(worst) + ") holds " + InMib(most) +
         " that the slice library has not counted: " +
         (registered ? "it went past the library, or wrote the shared counters"
                     : "it runs without the library (cleared environment, or the driver opened by "
                       "its path)");
}

}  // namespace

// A slice that NVML sees far above its limit has got round the library: a second look a moment
// later tells it from memory on its way.
std::optional<Event> Keeper::CheckLimit(Seat& seat, int gpu, const std::vector<pid_t>& pids,
                                        const UseByPid& use) {
  const std::uint64_t seen = seat.seen[gpu], hard = seat.slice.terms(gpu).hard;
  int& rounds = seat.over_limit_rounds[gpu];
  rounds = seen > hard + kTolerated ? rounds + 1 : 0;
  if (rounds > 0 && rounds < kTolerantRounds) hurry_ = std::max(hurry_.load(), 1);
  if (rounds != kTolerantRounds) return std::nullopt;
  return Event{EventKind::kOverLimit, seat.slice.name(),
               "holds " + InMib(seen) + " of GPU memory, " + InMib(seen - hard) +
                   " above its part of " + InMib(hard) + "; " +
                   DescribeHolder(seat.slice, gpu, pids, use)};
}

// Calls `visit(seat, gpu)` for every slice's part of the device.
template <class Visit>
void Keeper::ForEachPart(const NvmlDevice& device, Visit visit) {
  const auto uuid = ParseUuid(device.uuid);
  if (!uuid) return;
  std::lock_guard hold(mutex_);
  for (const auto& seat : seats_)
    for (int i = 0; i < seat->slice.gpu_count(); ++i)
      if (seat->slice.terms(i).uuid == *uuid) visit(*seat, i);
}

// Those of the workload, and those that registered: a process of a container may do so before it is
// listed. The list is asked for outside the mutex, since whoever makes it has locks of its own.
std::map<std::string, std::vector<pid_t>> Keeper::ProcessesBySlice() {
  std::map<std::string, std::vector<pid_t>> pids;
  {
    std::lock_guard hold(mutex_);
    for (const auto& seat : seats_) pids[seat->slice.name()] = RegisteredIn(seat->slice);
  }
  if (!options_.processes) return pids;
  for (auto& [name, list] : pids)
    for (const pid_t pid : options_.processes(name))
      if (std::ranges::find(list, pid) == list.end()) list.push_back(pid);
  return pids;
}

void Keeper::AuditDevice(const Nvml& nvml, const NvmlDevice& device,
                         const std::vector<Looker>& lookers) {
  ForEachPart(device, [](Seat& seat, int gpu) { seat.slice.BeginAudit(gpu); });
  const auto use = nvml.Processes(device);
  if (!use) return;
  Learn(device, *use, lookers);
  auto pids = ProcessesBySlice();  // after the reading, so that nobody in it is missing
  std::uint64_t ours = 0, all = 0;
  std::vector<Event> told;
  for (const auto& [pid, bytes] : *use) all += bytes;
  ForEachPart(device, [&](Seat& seat, int gpu) {
    const std::vector<pid_t>& own = pids[seat.slice.name()];
    seat.seen[gpu] = UseOf(own, *use);
    seat.peak[gpu] = std::max(seat.peak[gpu], seat.seen[gpu]);
    const std::uint64_t beside =
        seat.seen[gpu] - std::min(seat.seen[gpu], UseOf(RegisteredIn(seat.slice), *use));
    seat.slice.EndAudit(gpu, *use, seat.beside == SliceSpec::Beside::kCounts ? beside : 0);
    ours += seat.seen[gpu];
    if (auto over = CheckLimit(seat, gpu, own, *use)) told.push_back(std::move(*over));
  });
  {
    std::lock_guard hold(mutex_);
    if (const auto uuid = ParseUuid(device.uuid))
      foreign_[FormatUuid(*uuid)] = all - std::min(all, ours);
  }
  for (const Event& event : told) on_event_(event);  // who hears it may come back to the keeper
}

void Keeper::AuditNow() {
  std::lock_guard hold(audit_mutex_);
  audit_now_ = true;
  audit_soon_.notify_all();
}

bool Keeper::TakeLooker(Seat& seat, Looker looker, const Wish& wish) {
  const auto gpu = static_cast<int>(wish.gpu);
  if (gpu < 0 || gpu >= seat.slice.gpu_count()) return false;
  looker.gpu = seat.slice.terms(gpu).uuid;
  looker.fresh = wish.fresh != 0;
  std::lock_guard hold(audit_mutex_);
  lookers_.push_back(looker);
  audit_soon_.notify_all();
  return true;
}

// Of processes that say they hold one context of this GPU and nothing else.
void Keeper::Learn(const NvmlDevice& device, const UseByPid& use,
                   const std::vector<Looker>& lookers) {
  const auto uuid = ParseUuid(device.uuid);
  std::lock_guard hold(mutex_);
  for (const Looker& looker : lookers) {
    const auto held = use.find(looker.pid);
    if (!looker.fresh || !uuid || looker.gpu != *uuid || held == use.end()) continue;
    if (!sizes_.Learn(FormatUuid(*uuid), held->second)) continue;
    for (const auto& seat : seats_)
      for (int i = 0; i < seat->slice.gpu_count(); ++i)
        if (seat->slice.terms(i).uuid == *uuid) seat->slice.SetContextBytes(i, held->second);
  }
}

// Until the next audit is due: after a second, after a tenth of one when something has just
// happened, or at once when somebody waits for it.
std::vector<Keeper::Looker> Keeper::AwaitAudit() {
  std::unique_lock hold(audit_mutex_);
  const bool hurried = hurry_ > 0;
  if (hurried) hurry_--;
  audit_soon_.wait_for(hold, hurried ? 100ms : 1000ms,
                       [this] { return stop_ || audit_now_ || !lookers_.empty(); });
  audit_now_ = false;
  return std::exchange(lookers_, {});
}

void Keeper::AuditLoop() {
  const auto nvml = Nvml::Open(options_.real_nvml);
  if (!nvml) on_event_({EventKind::kAuditLost, "", nvml.error().message});
  const auto devices = nvml ? nvml->Devices() : std::vector<NvmlDevice>();
  std::vector<Looker> lookers;
  auto all_at = std::chrono::steady_clock::now();
  while (!stop_) {
    // Whoever waits waits for one GPU only; all of them are looked at each second nevertheless.
    const bool all = lookers.empty() || std::chrono::steady_clock::now() >= all_at;
    if (all) all_at = std::chrono::steady_clock::now() + 1000ms;
    for (const NvmlDevice& device : devices) {
      const auto uuid = ParseUuid(device.uuid);
      const auto is_asked = [&](const Looker& looker) { return uuid && looker.gpu == *uuid; };
      if (all || std::ranges::any_of(lookers, is_asked)) AuditDevice(*nvml, device, lookers);
    }
    for (const Looker& looker : lookers) {
      const Reply reply{kHelloMagic, Answer::kWelcome, kNoSlot, 0};
      send(looker.fd, &reply, sizeof(reply), MSG_NOSIGNAL);
      close(looker.fd);
    }
    lookers = AwaitAudit();
  }
  for (const Looker& looker : lookers) close(looker.fd);
}

}  // namespace yard::slice
