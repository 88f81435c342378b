// Words for a shell and for Slurm, safe for every byte that a name can hold. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/task.h"

namespace yard::engine::slurm {

// One word of a POSIX shell, whatever the text holds: quotes, spaces, line ends, `$`. A NUL byte,
// which no argument can hold, ends the text.
std::string ShellWord(std::string_view text);
// A command line that a POSIX shell takes apart into exactly these words.
std::string ShellLine(std::span<const std::string> words);

// The name of a task's job, by which it is found again: "gpuyard-<attempt>.<rank>".
std::string JobName(const TaskKey& key);
// "<attempt>.<rank>": the name of its folder.
std::string FolderName(const TaskKey& key);
std::optional<TaskKey> ParseFolderName(std::string_view name);

// A text for people who look at Slurm: printable ASCII, at most 200 characters, no quotes; others
// become '?'. Slurm's own tools print it between columns.
std::string PlainText(std::string_view text);

}  // namespace yard::engine::slurm
