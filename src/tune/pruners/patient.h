// Stops a trial that has not improved for some steps; with another pruner inside, lets that one
// decide then.
#pragma once

#include <memory>

#include "tune/pruners/pruner.h"

namespace yard::tune {

struct PatientOptions {
  std::size_t patience = 5;  // reports without improvement that are accepted
  double min_delta = 0;      // what counts as an improvement
};

class PatientPruner final : public Pruner {
 public:
  PatientPruner(PatientOptions options, std::unique_ptr<Pruner> inner)
      : options_(options), inner_(std::move(inner)) {}
  Verdict Judge(std::span<const Curve> curves, std::size_t subject) const override;

 private:
  PatientOptions options_;
  std::unique_ptr<Pruner> inner_;  // none: stop at once
};

}  // namespace yard::tune
