// Files of a far host, read in one go: a tar stream in memory. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace yard::engine::slurm {

// The regular files of a tar stream (ustar or GNU, names up to 255 characters) by name, without a
// leading "./". Everything else is skipped. kInvalid if the stream is cut off or is none.
Result<std::map<std::string, std::string>> ReadArchive(std::string_view bytes);

}  // namespace yard::engine::slurm
