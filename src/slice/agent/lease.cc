#include "slice/agent/lease.h"

#include <algorithm>

namespace yard::slice {

int LeasePlanner::Add(std::uint32_t share_milli, ShareMode mode) {
  Tenant fresh;
  fresh.mode = mode;
  fresh.share = std::max(share_milli, 1U) / 1000.0;
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    if (tenants_[i].present) continue;
    tenants_[i] = fresh;
    return static_cast<int>(i);
  }
  tenants_.push_back(fresh);
  return static_cast<int>(tenants_.size()) - 1;
}

void LeasePlanner::Remove(int tenant) {
  tenants_[tenant].present = false;
  if (current_ != tenant) return;
  current_.reset();
  draining_ = false;
}

// Strict budgets grow with the wall clock. An idle tenant holds at most one plan's worth, so that
// it cannot save up for a burst; one that waits because others' kernels are long keeps what it is
// owed for a while; and whoever holds the GPU is not capped, since it is charged when it has left.
void LeasePlanner::Accrue(std::uint64_t now_ns) {
  constexpr double kPatientPlans = 10;
  passed_ns_ = last_ns_ == 0 ? 0 : now_ns - last_ns_;
  const auto passed = static_cast<double>(passed_ns_);
  last_ns_ = now_ns;
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    Tenant& tenant = tenants_[i];
    const double most = tenant.share * static_cast<double>(options_.plan_ns);
    tenant.budget_ns += passed * tenant.share;
    if (tenant.budget_ns <= 0) tenant.spent = true;
    if (tenant.budget_ns >= most / 2) tenant.spent = false;
    if (current_ == static_cast<int>(i)) continue;
    tenant.budget_ns = std::min(tenant.budget_ns, tenant.wanted ? most * kPatientPlans : most);
  }
}

// A tenant that comes back from idleness starts level with the least served of those who want the
// GPU, not ahead of it. When nobody does, with the most served: one that pauses for a moment is not
// to make up for all the time it had alone.
double LeasePlanner::Level() const {
  double least = -1, most = 0;
  for (const Tenant& tenant : tenants_) {
    if (!tenant.present) continue;
    most = std::max(most, tenant.virtual_ns);
    if (tenant.wanted && (least < 0 || tenant.virtual_ns < least)) least = tenant.virtual_ns;
  }
  return least < 0 ? most : least;
}

void LeasePlanner::Arrive(const std::vector<Seen>& seen) {
  const double level = Level();
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    Tenant& tenant = tenants_[i];
    if (!tenant.wanted && seen[i].wants) tenant.virtual_ns = std::max(tenant.virtual_ns, level);
    tenant.wanted = seen[i].wants;
  }
}

void LeasePlanner::Charge(int number, std::uint64_t from_ns, std::uint64_t to_ns) {
  if (to_ns <= from_ns) return;
  Tenant& tenant = tenants_[number];
  const auto spent = static_cast<double>(to_ns - from_ns);
  tenant.charged_ns += to_ns - from_ns;
  tenant.virtual_ns += spent / tenant.share;
  tenant.budget_ns -= spent;
}

bool LeasePlanner::Eligible(int number, const std::vector<Seen>& seen) const {
  const Tenant& tenant = tenants_[number];
  if (!tenant.present || !seen[number].wants) return false;
  if (tenant.mode != ShareMode::kStrict) return true;
  const double lease = tenant.share * static_cast<double>(options_.plan_ns);
  return tenant.budget_ns >= std::min(lease, static_cast<double>(options_.least_ns));
}

bool LeasePlanner::AnyOther(int number, const std::vector<Seen>& seen) const {
  for (std::size_t i = 0; i < tenants_.size(); ++i)
    if (static_cast<int>(i) != number && Eligible(static_cast<int>(i), seen)) return true;
  return false;
}

// Also charges a lease that simply goes on because nobody else wants the GPU.
bool LeasePlanner::MustClose(std::uint64_t now_ns, const std::vector<Seen>& seen) {
  const int number = *current_;
  const bool spent = tenants_[number].mode == ShareMode::kStrict &&
                     tenants_[number].budget_ns <= static_cast<double>(now_ns - opened_ns_);
  const bool contended = AnyOther(number, seen);
  if (spent) return true;
  if (!contended) {
    Charge(number, opened_ns_, now_ns);
    opened_ns_ = now_ns;
    return false;
  }
  return now_ns >= ends_ns_ || !seen[number].wants;
}

void LeasePlanner::Open(std::uint64_t now_ns, const std::vector<Seen>& seen) {
  current_.reset();
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    if (!Eligible(static_cast<int>(i), seen)) continue;
    if (!current_ || tenants_[i].virtual_ns < tenants_[*current_].virtual_ns)
      current_ = static_cast<int>(i);
  }
  if (!current_) return;
  const double lease = tenants_[*current_].share * static_cast<double>(options_.plan_ns);
  opened_ns_ = now_ns;
  ends_ns_ = now_ns + std::max(options_.least_ns, static_cast<std::uint64_t>(lease));
}

std::optional<int> LeasePlanner::StepLeases(std::uint64_t now_ns, const std::vector<Seen>& seen) {
  if (current_ && !draining_) {
    tenants_[*current_].held_ns += passed_ns_;
    if (seen[*current_].waits) tenants_[*current_].waited_ns += passed_ns_;
  }
  if (current_ && !draining_ && MustClose(now_ns, seen)) {
    draining_ = true;
    closed_ns_ = now_ns;
    return std::nullopt;
  }
  if (draining_) {
    const Seen& left = seen[*current_];
    if (!left.drained && now_ns < closed_ns_ + options_.drain_ns) return std::nullopt;
    const std::uint64_t until =
        left.drained ? std::clamp(left.drained_ns, closed_ns_, now_ns) : now_ns;
    Charge(*current_, opened_ns_, until);
    draining_ = false;
    current_.reset();
  }
  if (!current_) Open(now_ns, seen);
  return current_;
}

bool LeasePlanner::HasStrict() const {
  return std::ranges::any_of(tenants_, [](const Tenant& tenant) {
    return tenant.present && tenant.wanted && tenant.mode == ShareMode::kStrict;
  });
}

// One that goes before the others.
bool LeasePlanner::Urgent(int number) const {
  const Tenant& tenant = tenants_[number];
  return tenant.present && tenant.mode == ShareMode::kInteractive && !tenant.spent;
}

// One that waits for the GPU most of the time could use more of it; if there are two, each of them
// takes it from the other.
bool LeasePlanner::Contended() const {
  const std::uint64_t looked = last_ns_ - look_ns_;
  const auto waiting = std::ranges::count_if(tenants_, [looked](const Tenant& tenant) {
    return tenant.present && tenant.waited_ns * 2 > looked;
  });
  return waiting >= 2;
}

// Fewer than two of those who had the GPU for a while waited for it then: side by side they would
// have filled it better.
bool LeasePlanner::Wasteful() const {
  constexpr std::uint64_t kBusyPart = 8;
  int held = 0, busy = 0;
  for (const Tenant& tenant : tenants_) {
    if (!tenant.present || tenant.held_ns < options_.look_ns / 2) continue;
    ++held;
    busy += tenant.waited_ns * kBusyPart >= tenant.held_ns ? 1 : 0;
  }
  return held >= 2 && busy < 2;
}

bool LeasePlanner::Brief() const {
  const bool urgent = std::ranges::any_of(tenants_, [](const Tenant& tenant) {
    return tenant.present && tenant.mode == ShareMode::kInteractive;
  });
  return urgent || phase_ != Phase::kOpen ||
         (leases_ns_ != 0 && last_ns_ - phase_ns_ <= 2 * options_.look_ns);
}

void LeasePlanner::BeginLook(std::uint64_t now_ns) {
  look_ns_ = now_ns;
  for (Tenant& tenant : tenants_) tenant.waited_ns = tenant.held_ns = 0;
}

// After leases that were wasteful contention must last longer, before there are leases again.
void LeasePlanner::EndLook(std::uint64_t now_ns) {
  contended_looks_ = Contended() ? contended_looks_ + 1 : 0;
  BeginLook(now_ns);
  if (contended_looks_ >= enough_looks_) BeginLeases(now_ns);
}

void LeasePlanner::BeginOpen(std::uint64_t now_ns) {
  constexpr int kMostLooks = 16;
  enough_looks_ = Wasteful() ? std::min(2 * enough_looks_, kMostLooks) : 1;
  contended_looks_ = 0;
  if (current_) Charge(*current_, opened_ns_, now_ns);
  phase_ = Phase::kOpen;
  phase_ns_ = now_ns;
  current_.reset();
  draining_ = false;
  BeginLook(now_ns);
}

// After a moment's look everybody has been charged for it. After a longer while side by side nobody
// owes anybody anything, and contention is news.
void LeasePlanner::BeginLeases(std::uint64_t now_ns) {
  const bool is_news = now_ns - phase_ns_ > 2 * options_.look_ns || leases_ns_ == 0;
  leases_ns_ =
      is_news ? options_.first_leases_ns : std::min(2 * leases_ns_, options_.most_leases_ns);
  if (is_news) {
    double most = 0;
    for (const Tenant& tenant : tenants_) most = std::max(most, tenant.virtual_ns);
    for (Tenant& tenant : tenants_) tenant.virtual_ns = most;
  }
  phase_ = Phase::kClearing;
  phase_ns_ = now_ns;
}

// Whoever has work shares the time of a look with the others who have some.
void LeasePlanner::StepOpen(std::uint64_t now_ns, const std::vector<Seen>& seen) {
  std::uint64_t sharers = 0;
  for (std::size_t i = 0; i < tenants_.size(); ++i)
    sharers += tenants_[i].present && seen[i].wants ? 1 : 0;
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    if (!tenants_[i].present) continue;
    if (seen[i].wants) Charge(static_cast<int>(i), now_ns - passed_ns_ / sharers, now_ns);
    if (seen[i].waits) tenants_[i].waited_ns += passed_ns_;
  }
  if (HasStrict()) return BeginLeases(now_ns);
  // What goes on since leases is seen sooner than what is news.
  const bool is_news = look_ns_ != phase_ns_ || leases_ns_ == 0;
  if (now_ns - look_ns_ >= options_.look_ns / (is_news ? 1 : 2)) EndLook(now_ns);
}

// Who has left is known only of gates that were closed, and that is done after this step. Those who
// have not share the time.
void LeasePlanner::StepClearing(std::uint64_t now_ns, const std::vector<Seen>& seen) {
  if (now_ns == phase_ns_) return;
  const auto stays = [&](std::size_t i) {
    return tenants_[i].present && !Urgent(static_cast<int>(i)) && !seen[i].drained;
  };
  std::uint64_t stayers = 0;
  for (std::size_t i = 0; i < tenants_.size(); ++i) stayers += stays(i) ? 1 : 0;
  for (std::size_t i = 0; i < tenants_.size(); ++i)
    if (stays(i)) Charge(static_cast<int>(i), now_ns - passed_ns_ / stayers, now_ns);
  if (stayers != 0 && now_ns < phase_ns_ + options_.drain_ns) return;
  phase_ = Phase::kLeases;
  phase_ns_ = now_ns;
}

// While an interactive tenant has work the others wait, and their lease waits with them.
bool LeasePlanner::Preempt(std::uint64_t now_ns, const std::vector<Seen>& seen) {
  bool urgent = false;
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    const int number = static_cast<int>(i);
    if (!Urgent(number) || !seen[i].wants) continue;
    Charge(number, now_ns - passed_ns_, now_ns);
    urgent = true;
  }
  if (!urgent || !current_ || draining_) return urgent;
  opened_ns_ += std::min(passed_ns_, now_ns - opened_ns_);
  ends_ns_ += passed_ns_;
  return urgent;
}

void LeasePlanner::Show(std::optional<int> current) {
  open_.assign(tenants_.size(), phase_ == Phase::kOpen);
  for (std::size_t i = 0; i < tenants_.size(); ++i)
    if (Urgent(static_cast<int>(i))) open_[i] = true;
  if (current) open_[static_cast<std::size_t>(*current)] = true;
}

const std::vector<bool>& LeasePlanner::Step(std::uint64_t now_ns, const std::vector<Seen>& seen) {
  Accrue(now_ns);
  Arrive(seen);
  std::optional<int> current;
  if (phase_ == Phase::kOpen) StepOpen(now_ns, seen);
  if (phase_ == Phase::kClearing) StepClearing(now_ns, seen);
  if (phase_ == Phase::kLeases) {
    const bool looks =
        (now_ns - phase_ns_ >= leases_ns_ || Wasteful()) && !HasStrict() && !draining_;
    if (looks)
      BeginOpen(now_ns);
    else if (!Preempt(now_ns, seen))
      current = StepLeases(now_ns, seen);
  }
  Show(current);
  return open_;
}

}  // namespace yard::slice
