// Operating errors are values.
//
// A Result<T> is either a T or an Error. A code exists only if some caller branches on it; the
// message says what failed, on which object, and what to do next.
#pragma once

#include <expected>
#include <string>
#include <utility>
#include <vector>

namespace yard {

enum class Code {
  kInvalid,       // the request itself is wrong; repeating it cannot help
  kUnauthorized,  // nobody is signed in, or the credentials are wrong
  kForbidden,     // signed in, but not allowed
  kNotFound,
  kConflict,      // clashes with what exists (name taken, still in use)
  kPrecondition,  // the object is in the wrong state for this
  kTooLarge,
  kTooMany,      // rate limited; try again later
  kUnavailable,  // temporary: the disk is full, the server is stopping
  kUnsupported,
  kInternal,  // a bug on our side
};

// One thing that is wrong with one field of a request.
struct FieldIssue {
  std::string field;  // dotted path, for example "spec.compute.gpuPortionRequest"
  std::string problem;
};

struct Error {
  Code code = Code::kInternal;
  std::string message;
  std::string details = {};  // what to do next; may be empty
  std::vector<FieldIssue> fields = {};
};

template <class T>
using Result = std::expected<T, Error>;

using Status = Result<void>;

// `return Fail(Code::kNotFound, "project 7 does not exist");`
inline std::unexpected<Error> Fail(Code code, std::string message, std::string details = {}) {
  return std::unexpected(Error{code, std::move(message), std::move(details)});
}

inline std::unexpected<Error> Fail(Error error) {
  return std::unexpected(std::move(error));
}

}  // namespace yard

// YARD_TRY(expr): returns the error of a Status from the enclosing function.
#define YARD_TRY(expr)                                            \
  do {                                                            \
    if (auto yard_status = (expr); !yard_status) [[unlikely]]     \
      return ::std::unexpected(::std::move(yard_status).error()); \
  } while (false)

#define YARD_JOIN_(a, b) a##b
#define YARD_JOIN(a, b) YARD_JOIN_(a, b)

// YARD_ASSIGN(auto x, expr): unwraps a Result or returns its error.
#define YARD_ASSIGN(lhs, expr)                                                        \
  auto YARD_JOIN(yard_result_, __LINE__) = (expr);                                    \
  if (!YARD_JOIN(yard_result_, __LINE__)) [[unlikely]]                                \
    return ::std::unexpected(::std::move(YARD_JOIN(yard_result_, __LINE__)).error()); \
  lhs = *::std::move(YARD_JOIN(yard_result_, __LINE__))
