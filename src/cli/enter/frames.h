// The messages of an exec or attach connection: one byte says the channel, the rest is content.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace yard::cli {

enum class FrameKind : std::uint8_t { kInput = 0, kOutput = 1, kError = 2, kControl = 3 };

std::string InputFrame(std::string_view bytes);
std::string CloseInputFrame();
std::string ResizeFrame(std::uint16_t rows, std::uint16_t columns);

// What the server says about the end.
struct Verdict {
  std::optional<int> exit;
  std::string error;
};
// Nothing if the text says neither.
std::optional<Verdict> ReadControl(std::string_view text);

}  // namespace yard::cli
