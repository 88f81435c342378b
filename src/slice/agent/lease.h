// Who may use the GPU now: time leases with measured drain.
//
// Pure: times and observations come in, the tenant to let through goes out. A tenant pays for the
// time from the opening of its gate until its last kernel has left the GPU, so long kernels are
// charged to whoever ran them. `fair` tenants share idle time by weight; a `strict` one never gets
// more than its share, even alone.
// Invariant: at most one gate is open, and none while a closed tenant still drains.
// Threads: one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "slice/region.h"

namespace yard::slice {

struct LeaseOptions {
  std::uint64_t plan_ns = 100'000'000;     // one round over all tenants
  std::uint64_t least_ns = 5'000'000;      // the shortest lease
  std::uint64_t drain_ns = 5'000'000'000;  // after this long, a tenant that still drains is passed
};

struct Seen {
  bool wants = false;            // work is queued or a thread waits at the gate
  bool drained = true;           // everything it launched has finished
  std::uint64_t drained_ns = 0;  // when that was
};

class LeasePlanner {
 public:
  explicit LeasePlanner(LeaseOptions options = {}) : options_(options) {}

  int Add(std::uint32_t share_milli, ShareMode mode);
  void Remove(int tenant);

  // Moves on to `now_ns`. `seen` is indexed by tenant. Returns the tenant whose gate is open.
  std::optional<int> Step(std::uint64_t now_ns, const std::vector<Seen>& seen);

  // Nanoseconds the tenant has been charged.
  std::uint64_t Charged(int tenant) const { return tenants_[tenant].charged_ns; }
  bool Draining() const { return draining_; }

 private:
  struct Tenant {
    bool present = true;
    bool wanted = false;
    ShareMode mode = ShareMode::kFair;
    double share = 0;
    double virtual_ns = 0;  // charged time over share
    double budget_ns = 0;   // strict: what it may still use; below zero is debt
    std::uint64_t charged_ns = 0;
  };

  void Accrue(std::uint64_t now_ns);
  double Level() const;
  void Arrive(const std::vector<Seen>& seen);
  void Charge(int tenant, std::uint64_t from_ns, std::uint64_t to_ns);
  bool Eligible(int tenant, const std::vector<Seen>& seen) const;
  bool AnyOther(int tenant, const std::vector<Seen>& seen) const;
  bool MustClose(std::uint64_t now_ns, const std::vector<Seen>& seen);
  void Open(std::uint64_t now_ns, const std::vector<Seen>& seen);

  LeaseOptions options_;
  std::vector<Tenant> tenants_;
  std::optional<int> current_;  // open or draining
  bool draining_ = false;
  std::uint64_t opened_ns_ = 0;  // since when the current tenant has not been charged
  std::uint64_t ends_ns_ = 0;
  std::uint64_t closed_ns_ = 0;
  std::uint64_t last_ns_ = 0;
};

}  // namespace yard::slice
