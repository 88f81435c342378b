// Reading and writing non-blocking descriptors. Stateless; thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace yard::serve {

enum class Flow { kSome, kNotNow, kEnded };

// Some bytes, kNotNow if none are there yet, kEnded at the end or after an error.
Flow ReadSome(int fd, std::size_t most, std::string& bytes);

// Writes what fits and removes it from `bytes`. kEnded: nobody reads any more.
Flow WriteSome(int fd, std::string_view& bytes);

void SetNonBlocking(int fd);

}  // namespace yard::serve
