#include "control/commands/text_room.h"

#include <string>

#include <fmt/format.h>

#include "model/spec/spec.h"

namespace yard::control {
namespace {

std::size_t BytesOf(const Workload& workload) {
  return workload.spec->document.json.size() + workload.master_spec->document.json.size();
}

std::size_t BytesOf(const Asset& asset) {
  return asset.spec.json.size() + asset.meta.json.size() + asset.sealed_secret.size();
}

// `mine` says which other objects count together with this one.
template <class T, class Mine>
Status Require(const State& state, const T& fresh, Mine mine) {
  const std::size_t bytes = BytesOf(fresh);
  if (bytes <= kLongText) return {};
  if (bytes > kMostTextBytes) {
    return Fail(
        Code::kTooLarge,
        fmt::format("the spec has {} bytes, and at most {} are kept", bytes, kMostTextBytes),
        "put large contents into a data set, a volume or the image");
  }
  std::size_t together = bytes;
  state.Of<T>().Each([&](const T& other) {
    if (!mine(other) || other.id == fresh.id) return;
    const std::size_t more = BytesOf(other);
    together += more > kLongText ? more : 0;
  });
  if (together <= kMostLongTexts) return {};
  return Fail(Code::kTooMany,
              fmt::format("specs of more than {} bytes take {} bytes together, and at most {} are "
                          "kept",
                          kLongText, together, kMostLongTexts),
              "put large contents into a data set, a volume or the image; specs of ended work go "
              "to the archive by and by");
}

}  // namespace

Status RequireTextRoom(const State& state, const Workload& workload) {
  return Require(state, workload,
                 [&](const Workload& other) { return other.project == workload.project; });
}

Status RequireTextRoom(const State& state, const Asset& asset) {
  return Require(state, asset, [&](const Asset& other) {
    return other.stamp.created_by == asset.stamp.created_by;
  });
}

}  // namespace yard::control
