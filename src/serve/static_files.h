// The dashboard: files from the table that is built into the program.
//
// Nothing is read from the disk, so a path can lead nowhere but into the table. Pure functions;
// thread-safe.
#pragma once

#include <optional>
#include <span>

#include "http/http.h"
#include "web/files.h"

namespace yard::serve {

// The answer to a GET or HEAD: a file of the table, or, for a path without an ending, the page
// that finds its own way. Nothing if the path belongs to the API or names a file that is not there.
std::optional<http::Reply> StaticReply(const http::Request& request,
                                       std::span<const web::File> files);

}  // namespace yard::serve
