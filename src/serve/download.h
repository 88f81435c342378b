// A file as an answer, sent piece by piece, whole or in part. What the disk has still to bring is
// read by a worker; what is in memory is sent at once.
#pragma once

#include <string_view>

#include "base/result.h"
#include "control/track/artifacts.h"
#include "http/http.h"
#include "serve/worker.h"

namespace yard::serve {

// `range` is the header of that name, empty if there was none. One that cannot be met is kInvalid
// with status 416; several at once are answered with the whole file.
// `files` must outlive the answer.
Result<http::Reply> Download(Worker& files, control::OpenArtifact artifact, std::string_view range);

}  // namespace yard::serve
