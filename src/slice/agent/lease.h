// Who may use the GPU now: everybody while it is not contended, else time leases with measured
// drain.
//
// Pure: times and observations come in, who may go through goes out. While tenants do not wait for
// the GPU, or only one of them does, all gates are open and they run side by side as without
// shares. Once two of them wait for it most of the time, each gets the GPU for itself for a lease
// in proportion to its share. Now and then all gates are opened for a moment to see whether that is
// still so; and if tenants do not wait for the GPU while they have it alone, all are opened at
// once, since then leases leave it idle.
//
// A tenant pays for the time from the opening of its gate until its last kernel has left the GPU,
// so long kernels are charged to whoever ran them. `fair` tenants share idle time by weight; a
// `strict` one never gets more than its share, even alone, so that it is always in leases. An
// `interactive` one goes at once, and the others wait meanwhile, as long as it stays within its
// share; beyond that it is a fair one.
// Invariant: in leases at most one gate of a tenant that is not interactive is open, and none while
// a closed one still drains.
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
  std::uint64_t look_ns = 100'000'000;     // how long it takes to tell whether there is contention
  std::uint64_t first_leases_ns = 1'000'000'000;  // how long leases last before the next look
  std::uint64_t most_leases_ns = 8'000'000'000;   // it doubles up to this
};

struct Seen {
  bool wants = false;            // work is queued or a thread waits at the gate
  bool drained = true;           // everything it launched has finished
  std::uint64_t drained_ns = 0;  // when that was
  bool waits = false;            // a thread waits for the GPU
};

class LeasePlanner {
 public:
  explicit LeasePlanner(LeaseOptions options = {}) : options_(options) {}

  int Add(std::uint32_t share_milli, ShareMode mode);
  void Remove(int tenant);

  // Moves on to `now_ns`. `seen` is indexed by tenant, and so is the answer: whose gate is open.
  const std::vector<bool>& Step(std::uint64_t now_ns, const std::vector<Seen>& seen);

  // Nanoseconds the tenant has been charged.
  std::uint64_t Charged(int tenant) const { return tenants_[tenant].charged_ns; }
  bool Draining() const { return draining_ || phase_ == Phase::kClearing; }
  bool InLeases() const { return phase_ == Phase::kLeases; }
  // Whether tenants must be able to leave the GPU soon.
  bool Brief() const;

 private:
  enum class Phase {
    kOpen,      // all gates are open
    kClearing,  // none is, until everybody has left the GPU
    kLeases,
  };
  struct Tenant {
    bool present = true;
    bool wanted = false;
    ShareMode mode = ShareMode::kFair;
    double share = 0;
    double virtual_ns = 0;  // charged time over share
    double budget_ns = 0;   // strict, interactive: what it may still use; below zero is debt
    bool spent = false;     // interactive: it has used its share up for the moment
    std::uint64_t charged_ns = 0;
    std::uint64_t waited_ns = 0;  // of the present look, or of its leases since the last one
    std::uint64_t held_ns = 0;    // of these: how long it had the GPU
  };

  void Accrue(std::uint64_t now_ns);
  double Level() const;
  void Arrive(const std::vector<Seen>& seen);
  void Charge(int tenant, std::uint64_t from_ns, std::uint64_t to_ns);
  bool Eligible(int tenant, const std::vector<Seen>& seen) const;
  bool AnyOther(int tenant, const std::vector<Seen>& seen) const;
  bool MustClose(std::uint64_t now_ns, const std::vector<Seen>& seen);
  void Open(std::uint64_t now_ns, const std::vector<Seen>& seen);

  bool HasStrict() const;
  bool Urgent(int tenant) const;
  bool Contended() const;
  bool Wasteful() const;
  void BeginLook(std::uint64_t now_ns);
  void EndLook(std::uint64_t now_ns);
  void BeginOpen(std::uint64_t now_ns);
  void BeginLeases(std::uint64_t now_ns);
  void StepOpen(std::uint64_t now_ns, const std::vector<Seen>& seen);
  void StepClearing(std::uint64_t now_ns, const std::vector<Seen>& seen);
  std::optional<int> StepLeases(std::uint64_t now_ns, const std::vector<Seen>& seen);
  bool Preempt(std::uint64_t now_ns, const std::vector<Seen>& seen);
  void Show(std::optional<int> current);

  LeaseOptions options_;
  std::vector<Tenant> tenants_;
  std::vector<bool> open_;
  Phase phase_ = Phase::kOpen;
  std::uint64_t phase_ns_ = 0;   // since when
  std::uint64_t look_ns_ = 0;    // when the present look began
  std::uint64_t leases_ns_ = 0;  // how long these leases last
  int contended_looks_ = 0;      // one after the other
  int enough_looks_ = 1;         // so many begin leases
  std::optional<int> current_;   // open or draining
  bool draining_ = false;
  std::uint64_t opened_ns_ = 0;  // since when the current tenant has not been charged
  std::uint64_t ends_ns_ = 0;
  std::uint64_t closed_ns_ = 0;
  std::uint64_t last_ns_ = 0;
  std::uint64_t passed_ns_ = 0;  // by the present step
};

}  // namespace yard::slice
