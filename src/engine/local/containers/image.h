// Names of images. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace yard::engine::containers {

// "registry.lab:5000/a/b:1" with the tag `latest` added where neither tag nor digest is given, as
// a daemon asked for a bare name would fetch every tag. kInvalid names what is wrong with it.
Result<std::string> FullName(std::string_view image);

// The registry a name points to; "docker.io" for names without one.
std::string RegistryOf(std::string_view image);

// The value of X-Registry-Auth.
std::string RegistryAuth(std::string_view image, std::string_view user, std::string_view password);

}  // namespace yard::engine::containers
