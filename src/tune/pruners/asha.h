// Asynchronous successive halving, and Hyperband on top of it.
//
// Rungs stand at the steps min·η^(s+r). At a rung the best 1/η of those that reached it go on; the
// others stop, or with kPromote pause there and are promoted once enough others have turned out
// worse, so that an early arrival is not judged by too few. Hyperband runs several brackets s side
// by side, from the most impatient to one that stops nothing before the end; a trial's bracket
// follows from its number.
#pragma once

#include <cstdint>
#include <vector>

#include "tune/pruners/pruner.h"

namespace yard::tune {

struct AshaOptions {
  std::int64_t min_steps = 1;  // of the first rung
  std::int64_t max_steps = 100;
  int eta = 3;
  enum class Mode { kStop, kPromote } mode = Mode::kStop;
};

class AshaPruner final : public Pruner {
 public:
  explicit AshaPruner(AshaOptions options, int skipped_rungs = 0);
  Verdict Judge(std::span<const Curve> curves, std::size_t subject) const override;
  // kPromote: trials that were paused (kPruned) and may go on now, those of the highest rung first.
  // The curve of a trial that goes on continues that of the paused one, which is empty then.
  std::vector<TrialNumber> Promotions(std::span<const Curve> curves) const override;
  std::span<const std::int64_t> rungs() const { return rungs_; }
  // The rung that the curve has reached and no higher one; nothing before the first.
  std::optional<std::size_t> RungOf(const Curve& curve) const;

 private:
  bool AmongBest(std::span<const Curve> curves, std::size_t subject, std::size_t rung) const;

  AshaOptions options_;
  std::vector<std::int64_t> rungs_;
};

class HyperbandPruner final : public Pruner {
 public:
  explicit HyperbandPruner(AshaOptions options);
  Verdict Judge(std::span<const Curve> curves, std::size_t subject) const override;
  std::size_t brackets() const { return brackets_.size(); }
  std::size_t BracketOf(TrialNumber trial) const;

 private:
  std::vector<AshaPruner> brackets_;
  std::vector<std::size_t> turns_;  // brackets in the order in which trials take them, repeated
};

}  // namespace yard::tune
