#include "http/reply.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>

#include <fmt/format.h>

#include "base/json.h"
#include "base/strings.h"

namespace yard::http {
namespace {

constexpr std::size_t kCompressFrom = 1024;

struct StatusName {
  int status;
  std::string_view name;
};

constexpr StatusName kStatusNames[] = {
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
};

bool HasBody(int status) {
  return status >= 200 && status != 204 && status != 304;
}

void AppendClean(std::string& out, std::string_view text) {
  std::size_t start = out.size();
  out += text;
  for (std::size_t i = start; i < out.size(); ++i) {
    if (out[i] == '\r' || out[i] == '\n' || out[i] == '\0') out[i] = ' ';
  }
}

void AppendField(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  AppendClean(out, name);
  out += ": ";
  AppendClean(out, value);
  out += "\r\n";
}

// What was made or looked at here is clean already.
void AppendOwn(std::string& out, std::string_view name_and_colon, std::string_view value) {
  if (value.empty()) return;
  out += name_and_colon;
  out += value;
  out += "\r\n";
}

void AppendNumber(std::string& out, std::size_t number, int base) {
  char digits[20];
  auto end = std::to_chars(std::begin(digits), std::end(digits), number, base).ptr;
  out.append(digits, end);
}

void AppendBodyFraming(std::string& out, int status, const ReplyFrame& frame) {
  if (!HasBody(status)) return;
  if (frame.body == BodyFraming::kChunked) {
    out += "Transfer-Encoding: chunked\r\n";
  } else if (frame.body == BodyFraming::kLength) {
    out += "Content-Length: ";
    AppendNumber(out, frame.body_bytes, 10);
    out += "\r\n";
  }
}

}  // namespace

std::string FormatHttpDate(Time time) {
  static constexpr std::string_view kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::chrono::sys_seconds point{
      std::chrono::floor<std::chrono::seconds>(std::chrono::microseconds{time.micros})};
  auto day = std::chrono::floor<std::chrono::days>(point);
  std::chrono::year_month_day date{day};
  std::chrono::hh_mm_ss clock{point - day};
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[std::chrono::weekday{day}.c_encoding()],
      static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
      static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(),
      clock.seconds().count());
}

std::string_view ReasonPhrase(int status) {
  const auto* found = std::ranges::lower_bound(kStatusNames, status, {}, &StatusName::status);
  return found != std::end(kStatusNames) && found->status == status ? found->name : "Unknown";
}

void AppendHead(std::string& out, const Reply& reply, const ReplyFrame& frame) {
  out += "HTTP/1.1 ";
  AppendNumber(out, static_cast<std::size_t>(reply.status), 10);
  out += ' ';
  out += ReasonPhrase(reply.status);
  out += "\r\n";
  if (HasBody(reply.status)) AppendField(out, "Content-Type", reply.content_type);
  AppendBodyFraming(out, reply.status, frame);
  AppendOwn(out, "Date: ", frame.date);
  AppendOwn(out, "X-Request-Id: ", frame.request_id);
  if (!frame.keep_alive) out += "Connection: close\r\n";
  for (const Header& header : reply.headers) AppendField(out, header.first, header.second);
  out += "\r\n";
}

std::string FramePiece(std::string bytes, BodyFraming framing, Piece place) {
  if (framing != BodyFraming::kChunked) return bytes;
  std::string out;
  if (!bytes.empty()) {
    AppendNumber(out, bytes.size(), 16);
    out += "\r\n";
    out += bytes;
    out += "\r\n";
  }
  if (place == Piece::kLast) out += "0\r\n\r\n";
  return out;
}

Reply ErrorReply(int status, std::string_view message, std::string_view details) {
  Reply reply;
  reply.status = status;
  reply.body = fmt::format("{{\"code\":{},\"message\":", status);
  AppendJsonString(reply.body, message);
  reply.body += ",\"details\":";
  AppendJsonString(reply.body, details);
  reply.body += '}';
  return reply;
}

bool WorthCompressing(const Reply& reply) {
  if (reply.body.size() <= kCompressFrom || !HasBody(reply.status)) return false;
  for (const Header& header : reply.headers) {
    if (EqualsIgnoreCase(header.first, "content-encoding")) return false;
  }
  std::string_view type = reply.content_type;
  return type.starts_with("text/") || ContainsIgnoreCase(type, "json") ||
         ContainsIgnoreCase(type, "javascript") || ContainsIgnoreCase(type, "xml");
}

bool AcceptsGzip(std::string_view accept_encoding) {
  bool star = false;
  for (std::string_view item : Split(accept_encoding, ',')) {
    std::size_t semicolon = item.find(';');
    std::string_view coding = Trim(item.substr(0, semicolon));
    std::string_view weight =
        semicolon == std::string_view::npos ? "q=1" : Trim(item.substr(semicolon + 1));
    // A weight of zero is written with the digits 0 and the point only.
    bool refused = weight.size() > 2 && weight.find_first_not_of("0.", 2) == std::string_view::npos;
    if (EqualsIgnoreCase(coding, "gzip") || EqualsIgnoreCase(coding, "x-gzip")) return !refused;
    if (coding == "*") star = !refused;
  }
  return star;
}

}  // namespace yard::http
