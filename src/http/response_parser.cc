#include "http/response_parser.h"

#include <limits>
#include <string_view>
#include <utility>

#include "http/assertion.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include "base/strings.h"
#include "http/last_chunk.h"

namespace yard::http {
namespace {

namespace beast = boost::beast;
using beast::error_code;

constexpr std::uint32_t kMostHeader = 64 * 1024;
constexpr std::string_view kBeginning = "HTTP/";

// As far as it has come.
bool BeginsAsHttp(std::string_view input) {
  return input.starts_with(kBeginning.substr(0, input.size()));
}

}  // namespace

class ResponseParser::Machine final : public beast::http::basic_parser<false> {
 public:
  explicit Machine(Method asked) {
    eager(true);
    header_limit(kMostHeader);
    body_limit(std::numeric_limits<std::uint64_t>::max());
    skip(asked == Method::kHead);
  }

  std::size_t Put(std::string_view input, error_code& error) {
    try {
      return put(boost::asio::buffer(input.data(), input.size()), error);
    } catch (const AssertionFailed&) {
      error = beast::http::error::bad_chunk;
      return input.size();
    }
  }

  ResponseHead head_;
  std::string body_;
  bool has_head_ = false;
  bool begun_ = false;  // some of the answer is used

 private:
  using Text = beast::string_view;
  void on_request_impl(beast::http::verb, Text, Text, int, error_code&) override {}
  void on_response_impl(int status, Text, int, error_code&) override { head_.status = status; }
  void on_field_impl(beast::http::field, Text name, Text value, error_code&) override {
    // Fields after a chunked body must not pass for headers.
    if (has_head_) return;
    head_.headers.emplace_back(Lower({name.data(), name.size()}),
                               std::string(value.data(), value.size()));
  }
  void on_header_impl(error_code&) override {
    has_head_ = true;
    if (auto length = content_length()) head_.length = *length;
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(Text piece, error_code&) override {
    body_.append(piece.data(), piece.size());
    return piece.size();
  }
  void on_chunk_header_impl(std::uint64_t, Text, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, Text piece, error_code&) override {
    body_.append(piece.data(), piece.size());
    return piece.size();
  }
  void on_finish_impl(error_code&) override {}
};

ResponseParser::ResponseParser(Method asked) : machine_(std::make_unique<Machine>(asked)) {}
ResponseParser::~ResponseParser() = default;

Result<std::size_t> ResponseParser::Feed(std::string_view input) {
  std::size_t used = 0;
  while (used < input.size() && !machine_->is_done()) {
    std::string_view rest = input.substr(used);
    if (IsHalfOfTheLastChunk(*machine_, rest)) break;
    // Beast waits for more bytes than a tool that speaks no HTTP may ever send.
    if (!machine_->begun_ && !BeginsAsHttp(rest)) {
      return Fail(Code::kUnavailable, "the tool's answer is not HTTP: it begins otherwise");
    }
    error_code error;
    std::size_t n = machine_->Put(rest, error);
    used += n;
    machine_->begun_ |= n > 0;
    if (error == beast::http::error::need_more || (!error && n == 0)) break;
    if (error) {
      return Fail(Code::kUnavailable, "the tool's answer is not HTTP: " + error.message());
    }
  }
  return used;
}

Status ResponseParser::End() {
  error_code error = beast::http::error::partial_message;
  if (machine_->got_some()) machine_->put_eof(error);
  if (!error && machine_->is_done()) return {};
  return Fail(Code::kUnavailable, "the tool closed the connection before its answer was whole");
}

bool ResponseParser::has_head() const {
  return machine_->has_head_;
}
bool ResponseParser::done() const {
  return machine_->is_done();
}
ResponseHead& ResponseParser::head() {
  return machine_->head_;
}
std::string ResponseParser::TakeBody() {
  return std::exchange(machine_->body_, {});
}

}  // namespace yard::http
