#include "http/parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "http/assertion.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include "base/log.h"
#include "base/strings.h"
#include "http/gzip.h"
#include "http/last_chunk.h"
#include "http/reply.h"

namespace yard::http {
namespace {

namespace beast = boost::beast;
using beast::error_code;

constexpr std::size_t kUsualHeaders = 8;
constexpr std::size_t kMethodShown = 32;  // of an unknown one, which may be long
// A Content-Length is only a promise: memory beyond this follows the bytes that really arrive.
constexpr std::size_t kReserveAtMost = 256 * 1024;
// Decompressing is done on the I/O thread, where others wait.
constexpr std::size_t kMostDecompressed = 1024 * 1024;

std::string_view View(beast::string_view text) {
  return {text.data(), text.size()};
}

Method ToMethod(beast::http::verb verb) {
  switch (verb) {
    case beast::http::verb::get:
      return Method::kGet;
    case beast::http::verb::head:
      return Method::kHead;
    case beast::http::verb::post:
      return Method::kPost;
    case beast::http::verb::put:
      return Method::kPut;
    case beast::http::verb::patch:
      return Method::kPatch;
    case beast::http::verb::delete_:
      return Method::kDelete;
    case beast::http::verb::options:
      return Method::kOptions;
    default:
      return Method::kOther;
  }
}

// "http://host/path" is as good as "/path" on any server.
std::string_view StripAuthority(std::string_view target) {
  for (std::string_view scheme : {"http://", "https://"}) {
    if (!target.starts_with(scheme)) continue;
    target.remove_prefix(scheme.size());
    std::size_t slash = target.find('/');
    return slash == std::string_view::npos ? "/" : target.substr(slash);
  }
  return target;
}

Reply TooLarge() {
  return ErrorReply(413, "the request body is too large", "send less in one request");
}

Reply RefusalFor(const error_code& error) {
  using E = beast::http::error;
  if (error == E::header_limit) {
    return ErrorReply(431, "the request header is too large", "send fewer or shorter headers");
  }
  return ErrorReply(400, "this is not a valid HTTP request: " + error.message(),
                    "check the client that sent it");
}

}  // namespace

// Beast calls back for each part; the request is filled in place, without Beast's own containers.
class RequestParser::Machine {
 public:
  explicit Machine(const Limits& most) : limits(most) { Reset(); }

  void Reset() {
    request = Request{};
    framing = Framing{};
    state = State::kHeader;
    refusal.reset();
    hosts_ = 0;
    gzipped_ = false;
    body_most_ = limits.body_bytes;
    body_taken_ = 0;
    parser_.emplace(*this);
  }

  std::size_t Feed(std::string_view input) {
    if (IsHalfOfTheLastChunk(*parser_, input)) return 0;
    try {
      return Put(input);
    } catch (const AssertionFailed& failed) {
      log::Error("the HTTP parser failed", {{"assertion", failed.what()}});
      refusal = ErrorReply(400, "this is not a valid HTTP request", "check the client");
      state = State::kRefused;
      return input.size();
    }
  }

  std::size_t Put(std::string_view input) {
    parser_->eager(state == State::kBody);
    error_code error;
    std::size_t used = parser_->put(boost::asio::buffer(input.data(), input.size()), error);
    if (error && error != beast::http::error::need_more) {
      if (!refusal) refusal = RefusalFor(error);
      state = State::kRefused;
    } else if (parser_->is_done()) {
      state = State::kDone;
    }
    return used;
  }

  void Bound(Intake intake) {
    const bool sinks = intake.sink != nullptr;
    const bool plain_only = sinks || intake.encoding == Intake::Encoding::kPlainOnly;
    body_most_ = sinks ? intake.body_bytes : std::min(intake.body_bytes, limits.body_bytes);
    if (intake.refusal) {
      refusal = std::move(intake.refusal);
    } else if (gzipped_ && plain_only) {
      refusal = ErrorReply(415, "this route takes no compressed body", "send the body plain");
    } else if (parser_->content_length().value_or(0) > body_most_) {
      refusal = TooLarge();
    }
    if (refusal) state = State::kRefused;
  }

  std::string TakeBody() {
    body_taken_ += request.body.size();
    return std::exchange(request.body, {});
  }

  const Limits limits;
  Request request;
  Framing framing;
  State state = State::kHeader;
  std::optional<Reply> refusal;

 private:
  // Named after what Beast reports, in the order of a message.
  class Callbacks final : public beast::http::basic_parser<true> {
   public:
    explicit Callbacks(Machine& machine) : machine_(machine) {
      header_limit(static_cast<std::uint32_t>(machine.limits.header_bytes));
      body_limit(boost::none);  // the gate may allow more; OnBody and Bound keep the limit
    }

   private:
    using Text = beast::string_view;
    void on_request_impl(beast::http::verb verb, Text method, Text target, int version,
                         error_code& error) override {
      if (ToMethod(verb) == Method::kOther) {
        machine_.request.headers.emplace_back(":method", View(method).substr(0, kMethodShown));
      }
      machine_.OnStart(ToMethod(verb), View(target), version, error);
    }
    void on_response_impl(int, Text, int, error_code&) override {}
    void on_field_impl(beast::http::field field, Text name, Text value,
                       error_code& error) override {
      machine_.OnField(field, View(name), View(value), error);
    }
    void on_header_impl(error_code& error) override {
      machine_.framing.keep_alive = keep_alive();
      machine_.OnHeader(error);
    }
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
      if (length) machine_.request.body.reserve(std::min<std::size_t>(*length, kReserveAtMost));
    }
    std::size_t on_body_impl(Text piece, error_code& error) override {
      return machine_.OnBody(View(piece), error);
    }
    void on_chunk_header_impl(std::uint64_t, Text, error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, Text piece, error_code& error) override {
      return machine_.OnBody(View(piece), error);
    }
    void on_finish_impl(error_code& error) override { machine_.OnFinish(error); }

    Machine& machine_;
  };

  void Refuse(error_code& error, Reply reply) {
    refusal = std::move(reply);
    error = beast::http::error::bad_value;
  }

  void OnStart(Method method, std::string_view target, int version, error_code& error) {
    target = StripAuthority(target);
    if (!target.starts_with('/') && target != "*") {
      return Refuse(error, ErrorReply(400, "the request target is not a path",
                                      "send a target that starts with '/'"));
    }
    request.method = method;
    request.target = target;
    request.headers.reserve(kUsualHeaders);
    framing.head_only = method == Method::kHead;
    framing.chunks_allowed = version == 11;
  }

  void OnField(beast::http::field field, std::string_view name, std::string_view value,
               error_code& error) {
    // Fields after a chunked body must not pass for headers that were checked before it.
    if (state != State::kHeader) return;
    using F = beast::http::field;
    if (field == F::host) ++hosts_;
    if (field == F::transfer_encoding && !EqualsIgnoreCase(value, "chunked")) {
      return Refuse(error, ErrorReply(501, "the only transfer encoding taken is chunked",
                                      "send the body chunked or with a Content-Length"));
    }
    if (field == F::transfer_encoding && !framing.chunks_allowed) {
      return Refuse(error, ErrorReply(400, "HTTP/1.0 has no transfer encoding",
                                      "send the body with a Content-Length"));
    }
    if (field == F::accept_encoding) framing.accepts_gzip = AcceptsGzip(value);
    if (field == F::content_encoding) return OnContentEncoding(value, error);
    if (field == F::expect) return OnExpect(value, error);
    Header& header = request.headers.emplace_back(std::string(name), std::string(value));
    for (char& c : header.first) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
  }

  // Not handed on: the handler sees the decoded body.
  void OnContentEncoding(std::string_view value, error_code& error) {
    if (EqualsIgnoreCase(value, "identity")) return;
    if (!gzipped_ && (EqualsIgnoreCase(value, "gzip") || EqualsIgnoreCase(value, "x-gzip"))) {
      gzipped_ = true;
      return;
    }
    Refuse(error, ErrorReply(415, "the content encoding of the body is not known",
                             "send the body plain or compressed with gzip"));
  }

  void OnExpect(std::string_view value, error_code& error) {
    if (EqualsIgnoreCase(value, "100-continue")) {
      framing.expects_continue = framing.chunks_allowed;
      return;
    }
    Refuse(error, ErrorReply(417, "the only expectation met is 100-continue",
                             "send the request without the Expect header"));
  }

  void OnHeader(error_code& error) {
    state = State::kBody;
    bool host_wanted = framing.chunks_allowed;
    if (hosts_ > 1 || (host_wanted && hosts_ == 0)) {
      Refuse(error,
             ErrorReply(400, "a request names its host exactly once", "send one Host header"));
    }
  }

  std::size_t OnBody(std::string_view piece, error_code& error) {
    if (body_taken_ + request.body.size() + piece.size() > body_most_) {
      Refuse(error, TooLarge());
      return 0;
    }
    request.body += piece;
    return piece.size();
  }

  void OnFinish(error_code& error) {
    if (!gzipped_ || request.body.empty()) return;
    auto plain = Gunzip(request.body, std::min(body_most_, kMostDecompressed));
    if (plain) {
      request.body = *std::move(plain);
      return;
    }
    int status = plain.error().code == Code::kTooLarge ? 413 : 400;
    Refuse(error, ErrorReply(status, plain.error().message, "check how the body was compressed"));
  }

  std::optional<Callbacks> parser_;
  int hosts_ = 0;
  bool gzipped_ = false;
  std::size_t body_most_ = 0;
  std::size_t body_taken_ = 0;  // bytes of this body that have gone into its sink
};

RequestParser::RequestParser(const Limits& limits) : machine_(std::make_unique<Machine>(limits)) {}
RequestParser::~RequestParser() = default;

void RequestParser::Reset() {
  machine_->Reset();
}
std::size_t RequestParser::Feed(std::string_view input) {
  return machine_->Feed(input);
}
void RequestParser::Bound(Intake intake) {
  machine_->Bound(std::move(intake));
}
std::string RequestParser::TakeBody() {
  return machine_->TakeBody();
}
// A string that takes an empty one keeps its room, so the message is moved out and dies here.
void RequestParser::Forget() {
  const Request gone = std::exchange(machine_->request, Request{});
}
RequestParser::State RequestParser::state() const {
  return machine_->state;
}
const Framing& RequestParser::framing() const {
  return machine_->framing;
}
Request& RequestParser::request() {
  return machine_->request;
}
Reply RequestParser::TakeRefusal() {
  return std::exchange(machine_->refusal, std::nullopt).value();
}

}  // namespace yard::http
