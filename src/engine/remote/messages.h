// Messages with descriptors over a stream between two processes of one machine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace yard::engine::remote {

inline constexpr std::size_t kLargestMessage = 64 << 20;
inline constexpr std::size_t kMostDescriptors = 4;

struct Message {
  std::string bytes;
  std::vector<UniqueFd> descriptors;
};

// False if the other side is gone. The descriptors stay the caller's.
bool Send(int socket, std::string_view bytes, std::span<const int> descriptors = {});
// Nothing if the other side is gone or sent no message.
std::optional<Message> Receive(int socket);

}  // namespace yard::engine::remote
