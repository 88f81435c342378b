// Why a workload stands where it stands in the order: the terms it was compared by, as values.
#pragma once

#include <string>
#include <vector>

namespace yard::sched {

// One term of one comparison, the deciding one of its level first: {"vision.share", "0.75"}. The
// name begins with the queue that was compared, or with "user" or "workload".
struct OrderTerm {
  std::string name;
  std::string value;
  bool operator==(const OrderTerm&) const = default;
};

using OrderTerms = std::vector<OrderTerm>;

}  // namespace yard::sched
