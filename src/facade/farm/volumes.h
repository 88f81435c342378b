// The volumes of a pod and where they are mounted, as the storage of a workload's spec. Pure.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "base/result.h"

namespace yard::facade::farm {

// Null: not given.
struct Volumes {
  const json::value* volumes = nullptr;
  const json::value* mounts = nullptr;
};
// kInvalid for a volume of another kind, one that is not there, or a part of one.
Status TakeVolumes(const Volumes& given, json::object& spec);

}  // namespace yard::facade::farm
