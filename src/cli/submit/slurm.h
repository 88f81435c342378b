// Slurm's spellings: what `#SBATCH` lines of a script ask for.
//
// Pure, but for ReadScript. An option that is not known, or that asks for what does not exist here,
// is refused with its line; one that has no meaning here (where the output goes) is a note.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/submit/submission.h"

namespace yard::cli {

struct Script {
  Submission submission;           // from its #SBATCH lines
  std::vector<std::string> notes;  // for the person: what was read and is not used
};

Result<Script> ReadDirectives(std::string_view text);

// Takes one option of sbatch by its long name: "job-name", "cpus-per-task". The note is empty
// unless the option is accepted without effect.
Result<std::string> TakeSlurmOption(Submission& submission, std::string_view name,
                                    const std::string& value);

// The text of a file that is a script (it starts with "#!"); nothing otherwise.
std::optional<std::string> ReadScript(const std::string& path);

// The command that runs a script as it is now, wherever it starts: the text itself goes along for
// shells, the path for everything else.
std::vector<std::string> CommandForScript(std::string_view path, std::string_view text,
                                          const std::vector<std::string>& arguments);

}  // namespace yard::cli
