// Everything that keeps a waiting line from starting, not only what refused it first, and whether
// it ever can start. Internal to sched.
//
// The reasons are ordered by how much they say: what holds for ever, then what refused the line in
// the pool where it came closest to starting, then the other bounds of that pool, then the other
// pools; a pool without machines comes last. No reason is there twice.
#pragma once

#include <optional>
#include <vector>

#include "sched/decision.h"

namespace yard::sched {

enum class Outlook : std::uint8_t {
  kWaits,         // it starts once others end or give way
  kOutOfService,  // not with the machines that are in service now
  kNever,         // not even if nothing else ran and every machine were in service
};

struct Binding {
  Outlook outlook = Outlook::kWaits;
  std::vector<Reason> reasons;  // at least one
};

// The cluster without any work: whole, or with the machines that are in service now.
enum class Machines : std::uint8_t { kAll, kInService };
Snapshot WithoutWork(const Snapshot& snapshot, Machines machines);

// Asks about many lines of one decision, all steps of which have run.
class Binder {
 public:
  explicit Binder(Decision& decision);

  Binding Of(LineIndex line);

 private:
  // What is against the line in a pool now, all of it.
  std::vector<Reason> Now(LineIndex line, PoolIndex pool);
  // The same if nothing else ran.
  std::vector<Reason> Alone(Core& empty, LineIndex line, PoolIndex pool) const;
  // Empty if the line could start in some pool; else pools without machines last.
  std::vector<Reason> AloneAnywhere(Core& empty, LineIndex line) const;
  std::optional<Reason> OutOfService(LineIndex line);
  Time FirstPlannedIn(PoolIndex pool) const;

  Decision& decision_;
  Core whole_;
  std::optional<Core> in_service_;  // if it is another
};

}  // namespace yard::sched
