// Command lines as one text, the way the API keeps them, and back. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace yard::cli {

// Quotes as a POSIX shell would need it, so that splitting gives the same words again.
std::string QuoteWord(std::string_view word);
std::string JoinWords(std::span<const std::string> words);

// Splits as a POSIX shell does, without expanding anything: blanks separate, single quotes are
// literal, double quotes group, a backslash takes the next character. kInvalid: an open quote.
Result<std::vector<std::string>> SplitWords(std::string_view text);

// One word with blanks in it, as in `--command -- "cd /x && ./run"`: no program, but a line for a
// shell. ShellCommand is the command that runs it.
bool IsShellLine(std::span<const std::string> words);
std::vector<std::string> ShellCommand(const std::string& line);

}  // namespace yard::cli
