// Slurm's short form for many names: "n[1-3,07],gpu5" stands for n1 n2 n3 n07 gpu5. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace yard::engine::slurm {

// At most 65,536 names; one pair of brackets a name. kInvalid else.
Result<std::vector<std::string>> ExpandHosts(std::string_view list);

// "0-1,4": the numbers, in order as they stand. Empty for what is none, such as "N/A".
std::vector<std::int64_t> ExpandNumbers(std::string_view list);

}  // namespace yard::engine::slurm
