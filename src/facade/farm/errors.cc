#include "facade/farm/errors.h"

#include <fmt/format.h>

#include "serve/call.h"
#include "wire/writer.h"

namespace yard::facade::farm {

std::string DetailOf(const Error& error) {
  if (error.details.empty()) return error.message;
  return fmt::format("{}: {}", error.message, error.details);
}

http::Reply Refusal(const Error& error, int status) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("detail", DetailOf(error));
  w.End();
  http::Reply reply = serve::Json(std::move(out), status);
  if (status == 429 || status == 503) reply.headers.emplace_back("Retry-After", "1");
  return reply;
}

}  // namespace yard::facade::farm
