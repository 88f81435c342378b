#include "slice/agent/slice.h"

#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace yard::slice {
namespace {

constexpr std::uint64_t kRestNs = 400'000'000;
constexpr std::uint64_t kWindowPatienceNs = 50'000'000;

std::uint64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

int OpenPidfd(pid_t pid) {
  return static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
}

bool HasEnded(const Member& member) {
  pollfd watch{member.pidfd, POLLIN, 0};
  return poll(&watch, 1, 0) > 0;
}

// Field 22 of /proc/<pid>/stat; 0 if the process is gone.
std::uint64_t StartTime(pid_t pid) {
  char path[64], text[1024] = {};
  std::snprintf(path, sizeof(path), "/proc/%d/stat", pid);
  std::FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return 0;
  const std::size_t got = std::fread(text, 1, sizeof(text) - 1, file);
  std::fclose(file);
  const std::string_view all(text, got);
  std::size_t at = all.rfind(')');
  for (int field = 2; field < 22 && at != std::string_view::npos; ++field)
    at = all.find(' ', at + 1);
  return at == std::string_view::npos ? 0 : std::strtoull(text + at, nullptr, 10);
}

}  // namespace

Slice::Slice(std::string name, SharedRegion region)
    : name_(std::move(name)), region_(std::move(region)) {
  const auto count = std::min<std::uint32_t>(region_->gpu_count, kMaxGpus);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Gpu& gpu = region_->gpu[i];
    terms_.push_back({gpu.uuid, gpu.physical, gpu.hard, gpu.soft, gpu.limit, gpu.context_bytes});
  }
}

void Slice::Restate(std::span<const GpuLimit> gpus, ShareMode mode) {
  terms_.clear();
  for (std::size_t i = 0; i < gpus.size() && i < kMaxGpus; ++i) {
    const GpuLimit& gpu = gpus[i];
    const std::uint64_t soft = std::min(gpu.soft, gpu.hard);
    const std::uint64_t limit = gpu.physical == 0 ? soft : gpu.hard;
    region_->gpu[i].share_milli = gpu.share_milli;
    terms_.push_back({gpu.uuid, gpu.physical, std::clamp(region_->gpu[i].hard.load(), soft, limit),
                      soft, limit, gpu.context_bytes});
  }
  region_->gpu_count = static_cast<std::uint32_t>(terms_.size());
  region_->share_mode = mode;
  Guard();
}

bool Slice::Guard() {
  bool written = false;
  const auto right = [&written](Word& word, std::uint64_t value) {
    if (word.exchange(value) != value) written = true;
  };
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    Gpu& gpu = region_->gpu[i];
    right(gpu.hard, terms_[i].hard);
    right(gpu.soft, terms_[i].soft);
    right(gpu.limit, terms_[i].limit);
    right(gpu.context_bytes, terms_[i].context_bytes);
    gpu.uuid = terms_[i].uuid;
    gpu.physical = terms_[i].physical;
  }
  return written;
}

std::optional<std::uint64_t> Slice::ChargedBy(pid_t pid, int gpu) const {
  const auto found = std::ranges::find(members_, pid, &Member::pid);
  if (found == members_.end()) return std::nullopt;
  return region_->slot[found->slot].charged[gpu].load();
}

Slice::~Slice() {
  for (const Member& member : members_) close(member.pidfd);
}

void Slice::Clear(int number) {
  Slot& slot = region_->slot[number];
  for (int gpu = 0; gpu < kMaxGpus; ++gpu) {
    slot.charged[gpu] = 0;
    slot.contexts[gpu] = 0;
    slot.launches[gpu] = 0;
    slot.active[gpu] = 0;
    slot.drained[gpu] = 0;
  }
  slot.window = 0;
  slot.waiting = 0;
  slot.changes = 0;
  slot.start_time = 0;
  slot.owner = 0;
}

void Slice::AdoptMembers() {
  for (int number = 0; number < kMaxSlots; ++number) {
    const std::uint64_t owner = region_->slot[number].owner;
    if (owner == 0) continue;
    const auto pid = static_cast<pid_t>(owner >> 32);
    const int pidfd = OpenPidfd(pid);
    const bool same = pidfd >= 0 && StartTime(pid) == region_->slot[number].start_time;
    if (same) {
      members_.push_back({number, pid, pidfd});
    } else {
      if (pidfd >= 0) close(pidfd);
      Clear(number);
    }
    generation_ = std::max(generation_, static_cast<std::uint32_t>(owner));
  }
  Recount();
}

Answer Slice::Register(pid_t pid, std::uint32_t inner_pid, std::uint32_t* slot) {
  const auto known = std::ranges::find(members_, pid, &Member::pid);
  int number = known == members_.end() ? -1 : known->slot;
  if (number >= 0) {
    Clear(number);
    *known = {number, pid, known->pidfd};
    Recount();
  } else {
    const auto* const end = region_->slot + kMaxSlots;
    const auto* const free = std::find_if(region_->slot, region_->slot + kMaxSlots,
                                          [](const Slot& s) { return s.owner == 0; });
    if (free == end) return Answer::kFull;
    const int pidfd = OpenPidfd(pid);
    if (pidfd < 0) return Answer::kForbidden;
    number = static_cast<int>(free - region_->slot);
    members_.push_back({number, pid, pidfd});
  }
  Slot& own = region_->slot[number];
  own.start_time = StartTime(pid);
  own.inner_pid = inner_pid;
  own.owner = static_cast<std::uint64_t>(pid) << 32 | ++generation_;
  *slot = static_cast<std::uint32_t>(number);
  return Answer::kWelcome;
}

int Slice::Reap() {
  const auto ended = std::ranges::partition(members_, [](const Member& m) { return !HasEnded(m); });
  const int count = static_cast<int>(ended.size());
  for (const Member& member : ended) {
    close(member.pidfd);
    Clear(member.slot);
  }
  members_.erase(ended.begin(), ended.end());
  if (count > 0) Recount();
  return count;
}

bool Slice::WaitForWindows() const {
  const std::uint64_t give_up = NowNs() + kWindowPatienceNs;
  for (const Member& member : members_) {
    while (region_->slot[member.slot].window != 0 && !HasEnded(member)) {
      if (NowNs() > give_up) return false;
      sched_yield();
    }
  }
  return true;
}

std::uint64_t Slice::Charged(int gpu) const {
  std::uint64_t sum = 0;
  for (const Member& member : members_) sum += region_->slot[member.slot].charged[gpu];
  return sum;
}

bool Slice::WhileQuiet(const std::function<void()>& then) {
  Region& region = *region_;
  std::uint64_t even = region.recount;
  if ((even & 1) != 0) even++;
  region.recount_since_ns = NowNs();
  region.recount = even + 1;
  const bool quiet = WaitForWindows();
  if (quiet) {
    for (int gpu = 0; gpu < gpu_count(); ++gpu) region.gpu[gpu].used = Charged(gpu);
    then();
  }
  // If a process called the count off because it took too long, the sum just written may be old.
  std::uint64_t odd = even + 1;
  return region.recount.compare_exchange_strong(odd, even + 2) && quiet;
}

std::uint64_t Slice::Held(int gpu) const {
  return region_->gpu[gpu].used + region_->gpu[gpu].overhead;
}

bool Slice::TakeBack(int gpu) {
  return WhileQuiet([this, gpu] {
    const Terms& part = terms(gpu);
    SetHard(gpu, std::min(part.hard, std::max(part.soft, Held(gpu))));
  });
}

void Slice::SetHard(int gpu, std::uint64_t hard) {
  terms_[static_cast<std::size_t>(gpu)].hard = hard;
  region_->gpu[gpu].hard = hard;
}

void Slice::SetContextBytes(int gpu, std::uint64_t bytes) {
  terms_[static_cast<std::size_t>(gpu)].context_bytes = bytes;
  region_->gpu[gpu].context_bytes = bytes;
}

void Slice::SetLimits(int gpu, std::uint64_t request, std::uint64_t limit) {
  Terms& part = terms_[static_cast<std::size_t>(gpu)];
  part.soft = request;
  part.limit = part.physical == 0 ? request : limit;
  part.hard = std::clamp(part.hard, part.soft, part.limit);
  Guard();
}

std::int64_t Slice::Drift(int gpu) const {
  return static_cast<std::int64_t>(Charged(gpu)) -
         static_cast<std::int64_t>(region_->gpu[gpu].used.load());
}

void Slice::BeginAudit(int gpu) {
  Gpu& part = region_->gpu[gpu];
  part.high = 0;
  part.high = part.used.load();
  part.looked_ns = NowNs();
  for (Member& member : members_) {
    const std::uint64_t changes = region_->slot[member.slot].changes;
    if (changes != member.changes || member.same_since_ns == 0) member.same_since_ns = NowNs();
    member.changes = changes;
  }
}

std::uint64_t Slice::BeyondOf(Member& member, int gpu, const UseByPid& use) const {
  const Slot& slot = region_->slot[member.slot];
  std::uint64_t& known = member.beyond[gpu];
  if (slot.changes != member.changes) return known;
  const auto found = use.find(member.pid);
  const std::uint64_t held = found == use.end() ? 0 : found->second, charged = slot.charged[gpu];
  const std::uint64_t beyond = held > charged ? held - charged : 0;
  const bool at_rest = NowNs() - member.same_since_ns >= kRestNs;
  known = at_rest ? beyond : std::max(known, beyond);
  return known;
}

void Slice::EndAudit(int gpu, const UseByPid& use, std::uint64_t beside) {
  Gpu& part = region_->gpu[gpu];
  std::uint64_t overhead = beside, seen = beside;
  for (Member& member : members_) {
    overhead += BeyondOf(member, gpu, use);
    if (const auto found = use.find(member.pid); found != use.end()) seen += found->second;
  }
  const std::uint64_t most = std::max(part.high.load(), part.used.load());
  part.overhead = std::max(overhead, seen > most ? seen - most : 0);
}

}  // namespace yard::slice
