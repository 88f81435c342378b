// Files that runs upload: models, pictures, logs. They lie below one folder as the caller names
// them, `EXPERIMENT/RUN/artifacts/model/weights.pt`.
//
// A file appears under its name only when it is whole and on disk. A name cannot leave the folder:
// each part of it is checked, and the server alone writes there.
// Thread rule: any thread; every call does input and output.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace yard::control {

struct ArtifactEntry {
  std::string name;
  bool is_folder = false;
  std::uint64_t bytes = 0;
};

struct OpenArtifact {
  UniqueFd file;
  std::uint64_t bytes = 0;
};

// Relative, without empty parts, `.`, `..`, backslashes or control characters.
Status CheckArtifactPath(std::string_view path);

class Artifacts {
 public:
  explicit Artifacts(std::string folder) : folder_(std::move(folder)) {}

  // Replaces what is there. A full disk is kUnavailable, and nothing is changed then.
  Status Put(std::string_view path, std::string_view bytes) const;
  Result<OpenArtifact> Open(std::string_view path) const;
  // By name; of a file, the file alone; of nothing, nothing.
  Result<std::vector<ArtifactEntry>> List(std::string_view path) const;
  // A file or a folder with all it holds; nothing there is no error.
  Status Remove(std::string_view path) const;

 private:
  std::string PlaceOf(std::string_view path) const;

  const std::string folder_;
};

}  // namespace yard::control
