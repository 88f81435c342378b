#include "serve/proxy/proxy.h"

#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "control/commands/workloads.h"
#include "control/live.h"
#include "http/tunnel.h"
#include "http/url.h"
#include "http/websocket.h"
#include "serve/auth/identity.h"
#include "serve/call.h"
#include "serve/page_session.h"
#include "serve/proxy/exchange.h"
#include "serve/proxy/headers.h"
#include "serve/proxy/target.h"
#include "serve/server.h"

namespace yard::serve {
namespace {

using control::Principal;
using control::ToolPass;

constexpr std::string_view kCode = "gpuyard-code=";
constexpr std::size_t kMostUsedCodes = 10'000;

std::unexpected<Error> NotSignedIn() {
  return Fail(Code::kUnauthorized, "nobody is signed in",
              "open the tool from its workload's page in the dashboard, or send a token");
}

// The code of a link and the target without it.
struct Coded {
  std::string code;
  std::string target;
};

std::optional<Coded> CodeOf(const http::Request& request) {
  std::string kept;
  std::string code;
  for (std::string_view pair : Split(request.query(), '&')) {
    if (pair.starts_with(kCode)) {
      code = pair.substr(kCode.size());
    } else if (!pair.empty()) {
      kept += fmt::format("{}{}", kept.empty() ? "?" : "&", pair);
    }
  }
  if (code.empty()) return std::nullopt;
  return Coded{code, std::string(request.path()) + kept};
}

// A page of its own, for which every link on the web is good.
bool IsPage(const http::Request& request) {
  bool reads = request.method == http::Method::kGet || request.method == http::Method::kHead;
  bool shown = request.Find("sec-fetch-mode").value_or("navigate") == "navigate";
  return reads && shown && !http::AsksForWebSocket(request);
}

bool IsNavigation(const http::Request& request) {
  return request.method == http::Method::kGet &&
         request.Find("accept").value_or("").contains("text/html");
}

Result<Principal> HolderOf(const ToolPass& pass, const control::State& state) {
  return serve::PrincipalOf({.type = SubjectType::kUser, .subject = pass.user, .epoch = pass.epoch},
                            state);
}

Status MayEnter(const control::State& state, const Principal& who, const Workload& workload,
                const Tool& tool) {
  ScopePath where = state.PathOf(workload);
  YARD_TRY(
      control::Authorize(state, who, control::ResourceOf(workload.type), Action::kRead, where));
  return MayUse(state, who, workload, tool);
}

void End(http::Stream& stream) {
  stream.Abort();
}
void End(http::Tunnel& tunnel) {
  tunnel.Close();
}

// What is opened ends once the check fails.
template <class Open>
std::move_only_function<void(std::shared_ptr<Open>)> Ending(
    LiveRights& rights, std::function<Status()> check,
    std::move_only_function<void(std::shared_ptr<Open>)> opened) {
  return [&rights, check = std::move(check),
          opened = std::move(opened)](std::shared_ptr<Open> open) mutable {
    std::weak_ptr<Open> left = open;
    rights.Watch({.alive = left, .check = std::move(check), .end = [left](const Error&) {
                    if (auto still = left.lock()) End(*still);
                  }});
    opened(std::move(open));
  };
}

}  // namespace

// Somebody before a tool.
struct Proxy::Visit {
  std::optional<ToolPlace> place;
  Principal who;
  Tool tool;
  std::optional<ToolPass> ticket;         // the one that was shown
  std::optional<std::string> entered_at;  // by a code: where to go on without it
};

// Cookies do not tell the ports of a host apart, so the browser is asked who caused the request.
bool Proxy::IsForged(const http::Request& request) const {
  return context_.addresses != nullptr && !IsPage(request) &&
         IsFromElsewhere(context_.addresses->tools, request);
}

bool Proxy::UseCode(const ToolPass& code, Time now) {
  std::lock_guard lock(mutex_);
  std::erase_if(used_codes_, [&](const auto& used) { return used.second <= now; });
  if (used_codes_.size() >= kMostUsedCodes) return false;
  return used_codes_.emplace(code.number, code.expires_at).second;
}

Result<Principal> Proxy::ByCode(const control::State& state, const Visit& visit,
                                std::string_view code, Time now) {
  YARD_ASSIGN(ToolPass pass,
              control::VerifyToolPass(context_.identity->key(), ToolPass::Kind::kCode, code, now));
  if (!visit.place || visit.place->workload->id.value != pass.workload) return NotSignedIn();
  if (!UseCode(pass, now)) return NotSignedIn();
  return HolderOf(pass, state);
}

// Another page of this origin may have set a cookie of the same name: one that is right is enough.
Result<ToolPass> Proxy::FindTicket(const Visit& visit, const http::Request& request,
                                   Time now) const {
  if (!visit.place) return NotSignedIn();
  for (const std::string& text : ToolTicketsOf(request)) {
    auto pass =
        control::VerifyToolPass(context_.identity->key(), ToolPass::Kind::kTicket, text, now);
    if (pass && pass->workload == visit.place->workload->id.value) return *pass;
  }
  return NotSignedIn();
}

Result<Proxy::Visit> Proxy::Admit(const http::Request& request, Time now) {
  control::Snapshot state = context_.service.Read();
  Visit visit{.place = FindToolPlace(*state, request.path())};
  if (std::optional<Coded> coded = CodeOf(request); coded && context_.identity != nullptr) {
    YARD_ASSIGN(visit.who, ByCode(*state, visit, coded->code, now));
    visit.entered_at = std::move(coded->target);
  } else if (request.Find("authorization") || request.peer_credentials) {
    YARD_ASSIGN(visit.who, context_.authenticator.Authenticate(request, *state, now));
  } else if (context_.identity != nullptr) {
    YARD_ASSIGN(visit.ticket, FindTicket(visit, request, now));
    YARD_ASSIGN(visit.who, HolderOf(*visit.ticket, *state));
  } else {
    return NotSignedIn();
  }
  // Dots would lead a careless tool out of its own paths.
  YARD_TRY(http::SplitPath(request.path()));
  if (!visit.place) {
    return Fail(Code::kNotFound, fmt::format("there is no tool at {}", request.path()),
                "the path of a tool is /PROJECT/WORKLOAD/");
  }
  YARD_ASSIGN(visit.tool, ToolOf(*visit.place->workload));
  YARD_TRY(MayEnter(*state, visit.who, *visit.place->workload, visit.tool));
  if (context_.live != nullptr) return visit;
  return Fail(Code::kUnavailable, "no engine runs on this server, so no work can be reached",
              "start the server with an engine");
}

http::Reply Proxy::Refusal(const http::Request& request, const Error& error) const {
  bool ask = error.code == Code::kUnauthorized && IsNavigation(request);
  if (!ask || context_.addresses == nullptr) return ErrorReply(error);
  std::string target = CodeOf(request).value_or(Coded{"", request.target}).target;
  http::Reply reply = Empty(302);
  reply.headers = {
      {"Location", fmt::format("{}/open?tool={}", AddressOf(context_.addresses->dashboard, request),
                               http::EncodePercent(target))},
      {"Cache-Control", "no-store"},
      {"Referrer-Policy", "no-referrer"}};
  return reply;
}

std::string Proxy::Ticket(const http::Request& request, const Visit& visit, Time now) const {
  Ptr<User> user = context_.service.Read()->Find<User>(*visit.who.user);
  ToolPass pass{.user = visit.who.user->value,
                .epoch = user ? user->session_epoch : 0,
                .workload = visit.place->workload->id.value,
                .expires_at = now + control::kToolTicketLifetime};
  bool secure = context_.addresses != nullptr && IsSecure(context_.addresses->tools, request);
  return ToolCookie(control::IssueToolPass(context_.identity->key(), pass), visit.place->prefix,
                    secure ? Transport::kSecure : Transport::kPlain);
}

// The code is in the browser's history and may be in logs: the address it goes on at is without it.
http::Reply Proxy::Enter(const http::Request& request, const Visit& visit, Time now) const {
  http::Reply reply = Empty(303);
  reply.headers = {{"Location", *visit.entered_at},
                   {"Set-Cookie", Ticket(request, visit, now)},
                   {"Cache-Control", "no-store"},
                   {"Referrer-Policy", "no-referrer"}};
  return reply;
}

http::Intake Proxy::Expect(const http::Request& head) {
  if (IsForged(head)) {
    return {.refusal = ErrorReply({Code::kForbidden, "a page of another origin sent this"})};
  }
  Result<Visit> visit = Admit(head, context_.service.Now());
  if (!visit) return {.refusal = ErrorReply(visit.error())};
  return {};
}

void Proxy::Handle(http::Request request, http::Respond respond) {
  Time now = context_.service.Now();
  http::Respond counted = [this, now, respond = std::move(respond)](http::Reply reply) mutable {
    metrics_.Count(reply.status, context_.service.Now() - now);
    respond(std::move(reply));
  };
  if (IsForged(request)) {
    return counted(ErrorReply({Code::kForbidden, "a page of another origin sent this",
                               "open the tool in a window of its own"}));
  }
  Result<Visit> visit = Admit(request, now);
  if (!visit) return counted(Refusal(request, visit.error()));
  if (visit->entered_at) return counted(Enter(request, *visit, now));
  bool old = visit->ticket &&
             visit->ticket->expires_at < now + Micros(control::kToolTicketLifetime.value / 2);
  if (!old) return PassOn(std::move(request), *std::move(visit), std::move(counted));
  http::Respond renewing = [ticket = Ticket(request, *visit, now),
                            counted = std::move(counted)](http::Reply reply) mutable {
    if (!reply.upgrade) reply.headers.emplace_back("Set-Cookie", std::move(ticket));
    counted(std::move(reply));
  };
  PassOn(std::move(request), *std::move(visit), std::move(renewing));
}

// A ticket that has grown old meanwhile closes nothing: whose it is, and what they may, counts. The
// check lives as long as what is open, and keeps the seat.
http::Respond Proxy::WhileAllowed(const http::Request& request, const Visit& visit,
                                  Seats::Seat seat, http::Respond respond) {
  auto check = [this, seat = std::move(seat), head = HeadOf(request), ticket = visit.ticket,
                id = visit.place->workload->id]() -> Status {
    control::Snapshot state = context_.service.Read();
    auto who = ticket
                   ? HolderOf(*ticket, *state)
                   : context_.authenticator.AuthenticateAgain(head, *state, context_.service.Now());
    if (!who) return Fail(who.error());
    Ptr<Workload> workload = state->Find<Workload>(id);
    if (!workload) return Fail(Code::kNotFound, "the workload is gone");
    YARD_ASSIGN(Tool tool, ToolOf(*workload));
    return MayEnter(*state, *who, *workload, tool);
  };
  return [this, check = std::move(check), respond = std::move(respond)](http::Reply reply) mutable {
    if (reply.stream) reply.stream = Ending(rights_, check, std::move(reply.stream));
    if (reply.upgrade) reply.upgrade = Ending(rights_, check, std::move(reply.upgrade));
    respond(std::move(reply));
  };
}

void Proxy::PassOn(http::Request request, Visit visit, http::Respond respond) {
  std::optional<std::string> bytes = ToolRequest(request, visit.who.id);
  if (!bytes) {
    return respond(ErrorReply({Code::kUnsupported, "this method is not passed on to tools"}));
  }
  const bool upgrade = http::AsksForWebSocket(request);
  ToolCall call{.request = std::move(*bytes),
                .method = request.method,
                .prefix = std::move(visit.place->prefix),
                .protocol = upgrade ? ToolCall::Protocol::kMayChange : ToolCall::Protocol::kHttp,
                .browser = request.waiter};
  Result<Seats::Seat> seat = threads_.tools.Take(visit.who.id);
  if (!seat) return respond(ErrorReply(seat.error()));
  auto answer = std::make_shared<http::Respond>(
      WhileAllowed(request, visit, *std::move(seat), std::move(respond)));
  auto connect = [this, answer, call = std::move(call), id = visit.place->workload->id,
                  port = visit.tool.port]() mutable {
    Result<UniqueFd> stream = context_.live->ConnectPort({.workload = id}, port);
    if (!stream) return (*answer)(ErrorReply(stream.error(), 502));
    ExchangeWithTool(threads_, *std::move(stream), std::move(call), std::move(*answer));
  };
  if (threads_.calls.Post(std::move(connect))) return;
  (*answer)(ErrorReply({Code::kUnavailable, "too many requests are waiting", "try again"}));
}

Result<std::string> Proxy::Link(const http::Request& request, const Principal& who,
                                std::string_view target) {
  bool open = context_.addresses != nullptr && context_.identity != nullptr &&
              context_.addresses->tools.port != 0;
  if (!open) return Fail(Code::kUnavailable, "this server shows no tools", "see `tools-listen`");
  control::Snapshot state = context_.service.Read();
  std::optional<ToolPlace> place = FindToolPlace(*state, target.substr(0, target.find('?')));
  Ptr<User> user = who.user ? state->Find<User>(*who.user) : nullptr;
  if (!user) return Fail(Code::kForbidden, "a tool is opened to people, not to applications");
  if (!place) return Fail(Code::kNotFound, fmt::format("there is no tool at {}", target));
  YARD_ASSIGN(Tool tool, ToolOf(*place->workload));
  YARD_TRY(MayEnter(*state, who, *place->workload, tool));
  Time now = context_.service.Now();
  // Unlike any of an earlier life of the server.
  std::uint64_t number = static_cast<std::uint64_t>(now.micros) * 1024 + last_code_++ % 1024;
  ToolPass code{.kind = ToolPass::Kind::kCode,
                .user = user->id.value,
                .epoch = user->session_epoch,
                .workload = place->workload->id.value,
                .number = number,
                .expires_at = now + control::kToolCodeLifetime};
  bool bare = target == place->prefix;
  return fmt::format("{}{}{}{}{}{}", AddressOf(context_.addresses->tools, request), target,
                     bare ? "/" : "", target.contains('?') ? "&" : "?", kCode,
                     control::IssueToolPass(context_.identity->key(), code));
}

std::optional<http::Reply> Proxy::Redirect(const http::Request& request) const {
  if (!request.Find("authorization") && !request.peer_credentials) return std::nullopt;
  if (context_.addresses == nullptr || context_.addresses->tools.port == 0) return std::nullopt;
  control::Snapshot state = context_.service.Read();
  Time now = context_.service.Now();
  if (!context_.authenticator.Authenticate(request, *state, now)) return std::nullopt;
  if (!FindToolPlace(*state, request.path())) return std::nullopt;
  http::Reply reply = Empty(307);
  reply.headers.emplace_back("Location",
                             AddressOf(context_.addresses->tools, request) + request.target);
  return reply;
}

}  // namespace yard::serve
