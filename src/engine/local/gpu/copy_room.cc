#include "engine/local/gpu/copy_room.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include <fmt/format.h>

namespace yard::engine {
namespace {

constexpr std::int64_t kMarginPercent = 5;
constexpr Mebibytes kMargin{64};

std::unexpected<Error> TooLittle(const CopyRoom& room, Mebibytes free, const std::string& where) {
  return Fail(Code::kPrecondition,
              fmt::format("host memory would not hold what it has on its GPUs: {} MiB are needed, "
                          "{} MiB are free {}",
                          NeededFor(room.held).value, free.value, where),
              "suspend it without keeping its memory, or make room");
}

}  // namespace

Mebibytes NeededFor(Mebibytes held) {
  return Mebibytes((held.value * (100 + kMarginPercent) + 99) / 100) + kMargin;
}

Status CheckCopyFits(const CopyRoom& room) {
  const Mebibytes needed = NeededFor(room.held);
  if (room.limit) {
    const Mebibytes free = std::max(*room.limit - room.used, Mebibytes(0));
    if (free < needed)
      return TooLittle(room, free, fmt::format("of its limit of {} MiB", room.limit->value));
  }
  if (room.available && *room.available < needed)
    return TooLittle(room, *room.available, "on the machine");
  return {};
}

std::optional<Mebibytes> ReadAvailableMemory(const std::string& file) {
  std::ifstream in(file);
  std::string name, unit;
  for (std::int64_t kib = 0; in >> name >> kib && std::getline(in, unit);)
    if (name == "MemAvailable:") return Mebibytes(kib / 1024);
  return std::nullopt;
}

}  // namespace yard::engine
