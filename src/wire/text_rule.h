// Which characters a text may hold: the one rule for everything people send.
//
// Names, paths, images, labels and the like are one line without control characters, since they
// end in commands, file names, logs and tables. Prose, scripts and values may have several lines.
// Pure functions; thread-safe.
#pragma once

#include <optional>
#include <string_view>

namespace yard::wire {

enum class TextShape {
  kLine,   // no control character at all
  kLines,  // tab, line feed and carriage return are fine
};

// What is wrong with the characters of a text, or nothing.
std::optional<std::string_view> CharacterProblem(std::string_view text, TextShape shape);

// The same for the name of an environment variable, which a "=" would end.
std::optional<std::string_view> VariableProblem(std::string_view name);

}  // namespace yard::wire
