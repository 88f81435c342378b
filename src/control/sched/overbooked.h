// Quotas that cannot all be kept: pools that promise more GPUs than they have, and departments
// whose projects are promised more than the department itself.
//
// A department without a GPU quota is promised what its projects are (ADR 48). GPUs count whether
// their node is in service or not, but not if they are broken.
//
// Made from one State, which it does not keep. A value; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "control/state/state.h"

namespace yard::control {

class Overbooked {
 public:
  Overbooked() = default;  // nothing is said
  explicit Overbooked(const State& state);

  // What is wrong with the promises that the unit has a part in, as a sentence for people.
  std::optional<std::string> Of(const Department& department) const;
  std::optional<std::string> Of(const Project& project) const;

 private:
  std::optional<std::string> Of(const OrgUnit& unit, DepartmentId department) const;

  std::map<NodePoolId, std::string> pools_;
  std::map<std::pair<DepartmentId, NodePoolId>, std::string> departments_;
};

}  // namespace yard::control
