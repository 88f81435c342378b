#include "serve/server.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.h"
#include "base/mask.h"
#include "base/strings.h"
#include "http/url.h"
#include "http/websocket.h"
#include "serve/auth/client_address.h"
#include "serve/idempotency.h"
#include "serve/page_session.h"
#include "serve/static_files.h"
#include "wire/enums.h"

namespace yard::serve {
namespace {

// Enough for a sign-in, too little to keep a thread busy.
http::Intake ForAnybody() {
  return {.body_bytes = 16 * 1024, .encoding = http::Intake::Encoding::kPlainOnly};
}
// A larger body takes longer to parse than the others of its I/O thread should wait.
constexpr std::size_t kParsedAtOnce = 256 * 1024;

// HEAD is answered like GET; the transport leaves the body out.
http::Method RoutedMethod(const http::Request& request) {
  return request.method == http::Method::kHead ? http::Method::kGet : request.method;
}

// Of a method that no route has, its name as it was sent.
std::string_view MethodName(const http::Request& request) {
  std::string_view usual = serve::MethodName(request.method);
  return request.method == http::Method::kOther ? request.Find(":method").value_or(usual) : usual;
}
using serve::MethodName;

Origin OriginOf(const Call& call) {
  const http::Request& request = call.request();
  return {.address = request.peer_address,
          .method = std::string(MethodName(request)),
          .url = std::string(request.path()),
          .request_id = request.id,
          .status = call.route().status};
}

bool MaySomewhere(const control::Access& access, const Need& need) {
  if (need.kind != Need::Kind::kByKind) return access.MaySomewhere(need.resource, need.action);
  constexpr std::array kKinds{Resource::kWorkspaces, Resource::kTrainings, Resource::kInferences};
  return std::ranges::any_of(
      kKinds, [&](Resource resource) { return access.MaySomewhere(resource, need.action); });
}

// Names what is missing, and the predefined roles that would bring it; those of a site are its own.
Error RefusalOf(const control::State& state, const std::string& who, const Need& need) {
  const bool by_kind = need.kind == Need::Kind::kByKind;
  std::vector<std::string> roles;
  state.Of<Role>().Each([&](const Role& role) {
    auto found = role.permissions.find(need.resource);
    if (role.predefined && found != role.permissions.end() && found->second.Has(need.action))
      roles.push_back(fmt::format("'{}'", role.name));
  });
  return {Code::kForbidden,
          fmt::format("{} may not {} {}", who, Lower(wire::ToName(need.action)),
                      by_kind ? "workloads" : wire::ToName(need.resource)),
          roles.empty() ? "ask an administrator for a role that allows it"
                        : fmt::format("ask an administrator for a role that allows it: {}",
                                      fmt::join(roles, ", "))};
}

// A browser cannot set headers on a WebSocket, so its token comes among the sub-protocols.
void TakeTokenFromProtocol(http::Request& request) {
  constexpr std::string_view kToken = "bearer.";
  if (request.Find("authorization") || !http::AsksForWebSocket(request)) return;
  for (std::string_view offered : http::OfferedProtocols(request)) {
    if (!offered.starts_with(kToken)) continue;
    request.headers.emplace_back("authorization",
                                 fmt::format("Bearer {}", offered.substr(kToken.size())));
    return;
  }
}

// Answers made of what people sent: credentials in their URLs stay here. Logs and files of work
// are its own and leave as they are.
bool MayHoldUrls(const http::Reply& reply) {
  return reply.content_type == "application/json" ||
         reply.content_type == "application/octet-stream";
}

// A few are as good as all of them; quotes would end the header's text.
void AddWarnings(std::span<const std::string> warnings, http::Reply& reply) {
  constexpr std::size_t kMost = 10;
  for (std::string warning : warnings.first(std::min(kMost, warnings.size()))) {
    std::ranges::replace_if(warning, [](char c) { return c == '"' || c == '\\'; }, '\'');
    reply.headers.emplace_back("Warning", fmt::format("299 gpuyard \"{}\"", warning));
  }
}

Error Unchecked(const Route& route) {
  return {Code::kInternal, fmt::format("{} {} answered without its permission check",
                                       MethodName(route.method), route.path)};
}

}  // namespace

Server::Server(ServerContext context, const std::vector<Route>& routes)
    : context_(context),
      routes_(routes),
      router_(routes),
      query_check_(routes),
      feed_(context.service),
      proxy_({context_, live_threads_, live_rights_, metrics_}) {}

bool Server::IsForeign(const http::Request& request) const {
  return context_.addresses != nullptr && IsFromElsewhere(context_.addresses->dashboard, request);
}

http::Intake Server::Expect(const http::Request& head) {
  Match match = router_.Find(RoutedMethod(head), head.path());
  const UploadRoute* upload = match.route == nullptr ? nullptr : UploadAt(*match.route, head);
  if (upload != nullptr) return ForUpload(head, std::move(match), *upload);
  bool open = match.route == nullptr || match.route->need.kind == Need::Kind::kPublic;
  if (open) return ForAnybody();
  std::optional<std::string> page = PageKeyOf(head);
  auto who = context_.authenticator.Authenticate(page ? WithShownToken(head, *page) : head,
                                                 *context_.service.Read(), context_.service.Now());
  if (who) return {};
  http::Reply reply = Refuse(head.path(), who.error());
  metrics_.Count(reply.status, Micros(0));
  return {.refusal = std::move(reply)};
}

// The tokens of a page go into its cookie and come out of it here; nothing behind this knows.
http::Respond Server::ServePage(http::Request& request, std::string key, http::Respond respond) {
  bool secure = context_.addresses != nullptr && IsSecure(context_.addresses->dashboard, request);
  ShowTokens(request, key);
  return [key = std::move(key), transport = secure ? Transport::kSecure : Transport::kPlain,
          respond = std::move(respond)](http::Reply reply) mutable {
    respond(HideTokens(std::move(reply), key, transport, SystemRandom()));
  };
}

std::shared_ptr<Server::Exchange> Server::Enter(http::Request request, http::Respond respond) {
  request.peer_address = context_.proxies.ClientOf(request);
  std::optional<std::string> page = PageKeyOf(request);
  if ((page || http::AsksForWebSocket(request)) && IsForeign(request)) {
    respond(Refuse(request.path(), {Code::kForbidden, "a page of another origin sent this",
                                    "set public-url if a proxy in front changes the Host header"}));
    return nullptr;
  }
  if (page) respond = ServePage(request, *page, std::move(respond));
  Match match = router_.Find(RoutedMethod(request), request.path());
  if (match.route == nullptr) {
    HandleElsewhere(match, std::move(request), std::move(respond));
    return nullptr;
  }
  auto exchange = std::make_shared<Exchange>(
      Call(std::move(request), *match.route, context_.service, *this), std::move(respond));
  exchange->call.path_ = std::move(match.parameters);
  return exchange;
}

void Server::Handle(http::Request request, http::Respond respond) {
  std::shared_ptr<Exchange> exchange = Enter(std::move(request), std::move(respond));
  if (!exchange) return;
  if (exchange->call.request().body.size() <= kParsedAtOnce) return Run(std::move(exchange));
  if (bodies_.Post([this, exchange] { Run(exchange); })) return;
  Refuse(*exchange, {Code::kUnavailable, "too many large requests are waiting",
                     "send the request again in a moment"});
}

Status Server::Admit(Call& call) {
  YARD_ASSIGN(call.query_, http::ParseQuery(call.request_.query()));
  const Need& need = call.route().need;
  if (need.kind == Need::Kind::kPublic) return query_check_.Check(call.route(), call.query_);
  TakeTokenFromProtocol(call.request_);
  YARD_ASSIGN(call.who_,
              context_.authenticator.Authenticate(call.request(), call.state(), call.now()));
  if (need.kind == Need::Kind::kSignedIn) return query_check_.Check(call.route(), call.query_);
  // The exact scope is the handler's to check; who may not do this anywhere stops here.
  call.access_.emplace(call.state(), call.who());
  if (MaySomewhere(*call.access_, need)) return query_check_.Check(call.route(), call.query_);
  return Fail(RefusalOf(call.state(), call.who().id, need));
}

std::function<Status()> Server::Again(const Call& call,
                                      const std::function<Status(Call& call)>& check) {
  return [this, request = HeadOf(call.request()), &route = call.route(), path = call.path_,
          check]() -> Status {
    Call again(request, route, context_.service, *this);
    again.path_ = path;
    YARD_ASSIGN(again.who_, context_.authenticator.AuthenticateAgain(again.request(), again.state(),
                                                                     again.now()));
    again.access_.emplace(again.state(), again.who());
    return check(again);
  };
}

void Server::Run(std::shared_ptr<Exchange> exchange) {
  if (Status admitted = Admit(exchange->call); !admitted) {
    return Settle(std::move(exchange), std::unexpected(admitted.error()));
  }
  Result<Answer> answer = exchange->call.route().handler(exchange->call);
  Settle(std::move(exchange), std::move(answer));
}

void Server::Settle(std::shared_ptr<Exchange> exchange, Result<Answer> answer) {
  if (!answer) return Refuse(*exchange, answer.error());
  if (auto* pending = std::get_if<Pending>(&*answer)) return Commit(exchange, std::move(*pending));
  if (auto* slow = std::get_if<Slow>(&*answer))
    return Delegate(std::move(exchange), std::move(*slow));
  if (auto* later = std::get_if<Later>(&*answer)) {
    auto start = std::move(later->start);
    return start([this, exchange](http::Reply reply) { Finish(*exchange, std::move(reply)); });
  }
  const Call& call = exchange->call;
  if (NeedsCheck(call.route().need) && !call.checked()) {
    return Refuse(*exchange, Unchecked(call.route()));
  }
  Finish(*exchange, std::move(std::get<http::Reply>(*answer)));
}

void Server::Commit(const std::shared_ptr<Exchange>& exchange, Pending change) {
  Call& call = exchange->call;
  Result<Pending> once = Once(call, std::move(change));
  if (!once) return Refuse(*exchange, once.error());
  Pending& pending = *once;
  auto guarded = [exchange,
                  command = std::move(pending.command)](control::Txn& txn) mutable -> Status {
    YARD_TRY(command(txn));
    const Route& route = exchange->call.route();
    bool checked = txn.checked() || exchange->call.checked();
    if (NeedsCheck(route.need) && !checked) return Fail(Unchecked(route));
    return {};
  };
  auto done = [this, exchange, render = std::move(pending.render),
               unstored = std::move(pending.unstored)](Status status) mutable {
    if (status) return Finish(*exchange, render());
    bool unavailable = status.error().code == Code::kUnavailable;
    std::optional<http::Reply> reply = unavailable && unstored ? unstored() : std::nullopt;
    if (!reply) return Refuse(*exchange, status.error());
    Finish(*exchange, *std::move(reply));
  };
  context_.service.Write(call.who(), OriginOf(call), std::move(guarded), std::move(done));
}

void Server::Delegate(std::shared_ptr<Exchange> exchange, Slow slow) {
  auto task = [this, exchange, work = std::move(slow.work)]() mutable {
    Result<Slow::Outcome> outcome = work();
    if (!outcome) return Settle(std::move(exchange), std::unexpected(std::move(outcome).error()));
    Settle(std::move(exchange),
           std::visit([](auto answer) { return Answer(std::move(answer)); }, *std::move(outcome)));
  };
  // People of one network take turns with those of others at the passwords, members with members
  // at everything else.
  bool shared = slow.lane == Slow::Lane::kPassword || slow.lane == Slow::Lane::kProvider;
  std::string party =
      shared ? NetworkOf(exchange->call.request().peer_address) : exchange->call.who().id;
  if (WorkerOf(slow.lane).Post(std::move(task), party)) return;
  Refuse(*exchange, {Code::kUnavailable, "too many slow requests are waiting",
                     "send the request again in a moment"});
}

Worker& Server::WorkerOf(Slow::Lane lane) {
  switch (lane) {
    case Slow::Lane::kOwn:
      return worker_;
    case Slow::Lane::kLive:
      return live_threads_.calls;
    case Slow::Lane::kData:
      return data_;
    case Slow::Lane::kPassword:
      return passwords_;
    case Slow::Lane::kProvider:
      return providers_;
  }
  return worker_;
}

http::Reply Server::Refuse(std::string_view path, const Error& error, int status) const {
  for (const Dialect& dialect : context_.dialects) {
    if (path.starts_with(dialect.prefix)) return dialect.refuse(error, status);
  }
  return ErrorReply(error, status);
}

http::Reply Server::Refuse(std::string_view path, const Error& error) const {
  return Refuse(path, error, StatusOf(error.code));
}

void Server::Refuse(Exchange& exchange, const Error& error) {
  Finish(exchange, Refuse(exchange.call.request().path(), error));
}

void Server::Finish(Exchange& exchange, http::Reply reply) {
  const Call& call = exchange.call;
  if (MayHoldUrls(reply)) reply.body = MaskUrls(std::move(reply.body));
  Micros took = context_.service.Now() - call.now();
  metrics_.Count(reply.status, took);
  AddWarnings(call.warnings(), reply);
  // A route that is not offered is the client's surprise, not the server's failure.
  bool failed = reply.status >= 500 && reply.status != StatusOf(Code::kUnsupported);
  log::Level level = failed ? log::Level::kError : log::Level::kDebug;
  if (log::Enabled(level)) {
    log::Write(level, "request",
               {{"id", call.request().id},
                {"method", MethodName(call.request())},
                {"path", call.request().path()},
                {"subject", call.who().id},
                {"peer", call.request().peer_address},
                {"status", std::to_string(reply.status)},
                {"micros", std::to_string(took.value)},
                {"error", failed ? std::string_view(reply.body) : std::string_view()}});
  }
  exchange.respond(std::move(reply));
}

void Server::HandleElsewhere(const Match& match, http::Request request, http::Respond respond) {
  Time began = context_.service.Now();
  http::Respond counted = [this, began, respond = std::move(respond)](http::Reply reply) mutable {
    metrics_.Count(reply.status, context_.service.Now() - began);
    respond(std::move(reply));
  };
  if (!match.allowed.empty()) return counted(NoRoute(match, request));
  std::optional<http::Reply> page = proxy_.Redirect(request);
  if (!page) page = StaticReply(request, web::Files());
  counted(page ? *std::move(page) : NoRoute(match, request));
}

http::Reply Server::NoRoute(const Match& match, const http::Request& request) const {
  if (match.allowed.empty() && request.method == http::Method::kOther) {
    return Refuse(
        request.path(),
        {Code::kUnsupported, fmt::format("the method {} is not known here", MethodName(request)),
         "see /openapi.json for every route and its methods"});
  }
  if (match.allowed.empty()) {
    return Refuse(request.path(),
                  {Code::kUnsupported, fmt::format("there is nothing at {}", request.path()),
                   "see /openapi.json for every route"},
                  StatusOf(Code::kNotFound));
  }
  std::string allowed;
  for (http::Method method : match.allowed) {
    allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", MethodName(method));
  }
  http::Reply reply = Refuse(
      request.path(),
      {Code::kInvalid, fmt::format("{} is not possible at {}", MethodName(request), request.path()),
       fmt::format("possible: {}", allowed)},
      405);
  reply.headers.emplace_back("Allow", allowed);
  return reply;
}

}  // namespace yard::serve
