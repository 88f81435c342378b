// The names of enumerations on the wire, one table each.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "model/access.h"
#include "model/asset.h"
#include "model/attempt.h"
#include "model/notify.h"
#include "model/org.h"
#include "model/workload.h"

namespace yard::wire {

template <class E>
struct EnumName {
  E value;
  std::string_view name;
};

// Defined for every enumeration that leaves the process.
template <class E>
std::span<const EnumName<E>> NamesOf();

template <class E>
std::string_view ToName(E value) {
  for (const auto& entry : NamesOf<E>()) {
    if (entry.value == value) return entry.name;
  }
  return "";
}

template <class E>
std::optional<E> FromName(std::string_view name) {
  for (const auto& entry : NamesOf<E>()) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

template <>
std::span<const EnumName<ScopeType>> NamesOf();
template <>
std::span<const EnumName<SubjectType>> NamesOf();
template <>
std::span<const EnumName<Action>> NamesOf();
template <>
std::span<const EnumName<Resource>> NamesOf();
template <>
std::span<const EnumName<Placement>> NamesOf();
template <>
std::span<const EnumName<NodeStatus>> NamesOf();
template <>
std::span<const EnumName<Fairness>> NamesOf();
template <>
std::span<const EnumName<WorkAccess>> NamesOf();
template <>
std::span<const EnumName<AssetKind>> NamesOf();
template <>
std::span<const EnumName<PolicyType>> NamesOf();
template <>
std::span<const EnumName<WorkloadType>> NamesOf();
template <>
std::span<const EnumName<Phase>> NamesOf();
template <>
std::span<const EnumName<Life>> NamesOf();
template <>
std::span<const EnumName<DesiredPhase>> NamesOf();
template <>
std::span<const EnumName<EndCause>> NamesOf();
template <>
std::span<const EnumName<Residence>> NamesOf();
template <>
std::span<const EnumName<AfterCondition>> NamesOf();
template <>
std::span<const EnumName<NotifyEvent>> NamesOf();
template <>
std::span<const EnumName<NotifyChannel>> NamesOf();
template <>
std::span<const EnumName<DeliveryOutcome>> NamesOf();

}  // namespace yard::wire
