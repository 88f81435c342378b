// A file of a run that comes in pieces.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "control/track/artifacts.h"
#include "serve/upload.h"

namespace yard::serve {

// `done` makes the answer once the file is in its place. `artifacts` must outlive it.
std::unique_ptr<Upload> UploadArtifact(control::Artifacts& artifacts, control::ArtifactPlace place,
                                       std::optional<std::uint64_t> announced,
                                       std::function<http::Reply(std::uint64_t bytes)> done);

}  // namespace yard::serve
