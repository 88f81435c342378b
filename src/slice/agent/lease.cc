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
  const double passed = last_ns_ == 0 ? 0 : static_cast<double>(now_ns - last_ns_);
  last_ns_ = now_ns;
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    Tenant& tenant = tenants_[i];
    const double most = tenant.share * static_cast<double>(options_.plan_ns);
    tenant.budget_ns += passed * tenant.share;
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

std::optional<int> LeasePlanner::Step(std::uint64_t now_ns, const std::vector<Seen>& seen) {
  Accrue(now_ns);
  Arrive(seen);
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

}  // namespace yard::slice
