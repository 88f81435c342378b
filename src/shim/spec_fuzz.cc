// Any bytes as a task's spec: what the shim takes from them lies inside them and within its bounds.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/check.h"
#include "base/fd.h"
#include "shim/spec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yard::shim;
  static const yard::UniqueFd file(memfd_create("spec", MFD_CLOEXEC));
  YARD_CHECK(ftruncate(file.get(), 0) == 0);
  YARD_CHECK(pwrite(file.get(), data, size, 0) == static_cast<ssize_t>(size));
  Spec spec;
  const bool whole = ReadSpec(file.get(), &spec);
  if (whole)
    YARD_CHECK(spec.args.count > 0 || (spec.container != nullptr && spec.daemon != nullptr));
  YARD_CHECK(spec.group_count >= 0 && spec.group_count <= kGroupsMax);
  YARD_CHECK(spec.devices.guarded_count <= DeviceRules::kGuardedMax);
  YARD_CHECK(spec.devices.granted_count <= DeviceRules::kGrantedMax);
  for (const List* list :
       {&spec.args, &spec.env, &spec.inherit, &spec.groups_v1, &spec.sets, &spec.mounts}) {
    YARD_CHECK(list->items == nullptr || list->items[list->count] == nullptr);
    std::free(static_cast<void*>(list->items));
  }
  return 0;
}
