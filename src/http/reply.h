// From a Reply to bytes. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "http/http.h"

namespace yard::http {

// How the end of an answer's body is told.
enum class BodyFraming { kLength, kChunked, kUntilClose };

struct ReplyFrame {
  BodyFraming body = BodyFraming::kLength;
  std::size_t body_bytes = 0;  // of kLength
  bool keep_alive = true;
  std::string_view date;        // as FormatHttpDate makes it
  std::string_view request_id;  // may be empty
};

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string FormatHttpDate(Time time);

std::string_view ReasonPhrase(int status);

// Appends the status line and all headers with the empty line. Line breaks in header values become
// spaces: a value cannot forge a header.
void AppendHead(std::string& out, const Reply& reply, const ReplyFrame& frame);

// One piece of a streamed body. An empty inner piece is left out: it would end a chunked body.
enum class Piece { kInner, kLast };
std::string FramePiece(std::string bytes, BodyFraming framing, Piece place);

// The JSON error body of the API: {code, message, details}.
Reply ErrorReply(int status, std::string_view message, std::string_view details);

// Whether compressing is likely to pay.
bool WorthCompressing(const Reply& reply);

// "gzip" is named with a weight above zero, or "*" is.
bool AcceptsGzip(std::string_view accept_encoding);

}  // namespace yard::http
