#include "engine/local/containers/daemon.h"

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>

#include "engine/local/containers/answers.h"
#include "engine/local/containers/fields.h"
#include "engine/local/containers/image.h"
#include "engine/local/containers/pull.h"

namespace yard::engine::containers {
namespace {

std::string ContainerPath(const std::string& container, std::string_view verb) {
  return fmt::format("/containers/{}{}", container, verb);
}

Result<UniqueFd> OpenStream(const std::string& socket_path, const Request& request) {
  YARD_ASSIGN(Upgraded upgraded, Upgrade(socket_path, request));
  if (!upgraded.stream) return Fail(Refusal(upgraded.refusal));
  return std::move(upgraded.stream);
}

Request SizeRequest(std::string path, std::uint16_t rows, std::uint16_t columns) {
  return {.method = "POST",
          .path = std::move(path),
          .query = {{"h", fmt::to_string(rows)}, {"w", fmt::to_string(columns)}}};
}

}  // namespace

Status Daemon::Ping() const {
  return AcceptEmpty(http_.Send({.path = "/_ping", .timeout = Seconds(5)}));
}

Result<DaemonFacts> Daemon::Facts() const {
  YARD_ASSIGN(json::value version, Accept(http_.Send({.path = "/version"})));
  YARD_ASSIGN(json::value info, Accept(http_.Send({.path = "/info"})));
  return ReadDaemon(version, info);
}

Result<std::optional<ImageFacts>> Daemon::FindImage(const std::string& image) const {
  Result<json::value> inspect = Accept(http_.Send({.path = fmt::format("/images/{}/json", image)}));
  if (inspect) return ReadImage(*inspect);
  if (inspect.error().code == Code::kNotFound) return std::nullopt;
  return Fail(inspect.error());
}

Status Daemon::Pull(const PullOrder& order,
                    const std::function<bool(const std::string&)>& progress) const {
  Request request{.method = "POST",
                  .path = "/images/create",
                  .query = {{"fromImage", order.image}},
                  .timeout = Micros(0)};
  if (!order.user.empty())
    request.headers.emplace_back("X-Registry-Auth",
                                 RegistryAuth(order.image, order.user, order.password));
  PullProgress state(order.image);
  std::string told;
  bool given_up = false;
  // A registry may be silent for long, and then nobody else asks.
  request.is_wanted = [&] { return !(given_up = !progress(state.Sentence())); };
  Result<Reply> reply = http_.Receive(request, [&](std::string_view bytes) {
    state.Feed(bytes);
    if (state.Sentence() == told) return true;
    told = state.Sentence();
    given_up = !progress(told);
    return !given_up;
  });
  if (given_up) return Fail(Code::kPrecondition, "the pull was given up");
  YARD_TRY(AcceptEmpty(reply));
  if (!state.failure().empty()) return Fail(Code::kInternal, state.failure());
  return {};
}

Status Daemon::RemoveImage(const std::string& image) const {
  Status removed = AcceptEmpty(http_.Send({.method = "DELETE",
                                           .path = fmt::format("/images/{}", image),
                                           .query = {{"force", "true"}}}));
  if (!removed && removed.error().code == Code::kNotFound) return {};
  return removed;
}

Result<std::string> Daemon::Create(const std::string& name, const std::string& body) const {
  YARD_ASSIGN(json::value answer, Accept(http_.Send({.method = "POST",
                                                     .path = "/containers/create",
                                                     .query = {{"name", name}},
                                                     .body = body})));
  return Text(answer, "Id");
}

Result<std::string> Daemon::CreateMapped(const std::string& body) const {
  YARD_ASSIGN(json::value answer,
              Accept(http_.Send(
                  {.method = "POST", .path = "/v4.0.0/libpod/containers/create", .body = body})));
  return Text(answer, "Id");
}

Status Daemon::Start(const std::string& container) const {
  return AcceptEmpty(http_.Send({.method = "POST", .path = ContainerPath(container, "/start")}));
}

Result<ContainerFacts> Daemon::Inspect(const std::string& container) const {
  YARD_ASSIGN(json::value inspect, Accept(http_.Send({.path = ContainerPath(container, "/json")})));
  return ReadContainer(inspect);
}

Result<std::int32_t> Daemon::Wait(const std::string& container) const {
  YARD_ASSIGN(json::value answer, Accept(http_.Send({.method = "POST",
                                                     .path = ContainerPath(container, "/wait"),
                                                     .timeout = Micros(0)})));
  return static_cast<std::int32_t>(Number(answer, "StatusCode"));
}

Status Daemon::Kill(const std::string& container, int signal) const {
  return AcceptEmpty(http_.Send({.method = "POST",
                                 .path = ContainerPath(container, "/kill"),
                                 .query = {{"signal", fmt::to_string(signal)}}}));
}

Status Daemon::Stop(const std::string& container, Micros grace) const {
  std::int64_t seconds = (grace.value + 999'999) / 1'000'000;
  return AcceptEmpty(http_.Send({.method = "POST",
                                 .path = ContainerPath(container, "/stop"),
                                 .query = {{"t", fmt::to_string(seconds)}},
                                 .timeout = grace + Minutes(1)}));
}

Status Daemon::Remove(const std::string& container) const {
  Status removed = AcceptEmpty(http_.Send({.method = "DELETE",
                                           .path = ContainerPath(container, ""),
                                           .query = {{"force", "true"}, {"v", "true"}}}));
  if (!removed && removed.error().code == Code::kNotFound) return {};
  return removed;
}

Result<std::vector<ContainerFacts>> Daemon::List(const std::string& label,
                                                 const std::string& value) const {
  json::value filters = {{"label", {fmt::format("{}={}", label, value)}}};
  YARD_ASSIGN(
      json::value answer,
      Accept(http_.Send({.path = "/containers/json",
                         .query = {{"all", "true"}, {"filters", json::serialize(filters)}}})));
  std::vector<ContainerFacts> all;
  if (const json::array* items = answer.if_array()) {
    for (const json::value& item : *items) all.push_back(ReadListed(item));
  }
  return all;
}

Result<std::string> Daemon::MakeNetwork(const std::string& name, const std::string& root) const {
  json::object body{{"Name", name},
                    {"CheckDuplicate", true},
                    {"Driver", "bridge"},
                    {"Labels", {{"gpuyard.root", root}}}};
  Status made = AcceptEmpty(
      http_.Send({.method = "POST", .path = "/networks/create", .body = json::serialize(body)}));
  Result<json::value> found = Accept(http_.Send({.path = fmt::format("/networks/{}", name)}));
  if (!found) return Fail(made ? found.error() : made.error());
  const json::value* ranges = Find(*found, "IPAM.Config");
  if (ranges != nullptr && ranges->is_array()) {
    for (const json::value& range : ranges->get_array())
      if (std::string subnet = Text(range, "Subnet"); !subnet.contains(':')) return subnet;
  }
  return Fail(Code::kInternal, fmt::format("the network {} has no IPv4 addresses", name));
}

Status Daemon::RemoveNetwork(const std::string& name) const {
  Status removed =
      AcceptEmpty(http_.Send({.method = "DELETE", .path = fmt::format("/networks/{}", name)}));
  if (!removed && removed.error().code == Code::kNotFound) return {};
  return removed;
}

Result<UniqueFd> Daemon::Attach(const std::string& container) const {
  return OpenStream(
      http_.socket_path(),
      {.method = "POST",
       .path = ContainerPath(container, "/attach"),
       .query = {{"stream", "true"}, {"stdin", "true"}, {"stdout", "true"}, {"stderr", "true"}}});
}

Status Daemon::Resize(const std::string& container, std::uint16_t rows,
                      std::uint16_t columns) const {
  return AcceptEmpty(http_.Send(SizeRequest(ContainerPath(container, "/resize"), rows, columns)));
}

Result<std::string> Daemon::CreateExec(const std::string& container, const ExecOrder& order) const {
  json::object body{{"AttachStdin", true},
                    {"AttachStdout", true},
                    {"AttachStderr", true},
                    {"Tty", order.tty},
                    {"Cmd", json::value_from(order.command)},
                    {"Env", json::value_from(order.variables)}};
  if (!order.user.empty()) body["User"] = order.user;
  if (!order.working_dir.empty()) body["WorkingDir"] = order.working_dir;
  YARD_ASSIGN(json::value answer, Accept(http_.Send({.method = "POST",
                                                     .path = ContainerPath(container, "/exec"),
                                                     .body = json::serialize(body)})));
  return Text(answer, "Id");
}

Result<UniqueFd> Daemon::StartExec(const std::string& exec, const ExecOrder& order) const {
  json::object body{{"Detach", false}, {"Tty", order.tty}};
  if (order.tty) {
    body["h"] = order.rows;  // podman's words
    body["w"] = order.columns;
    body["ConsoleSize"] = {order.rows, order.columns};  // docker's, since 1.42
  }
  return OpenStream(http_.socket_path(), {.method = "POST",
                                          .path = fmt::format("/exec/{}/start", exec),
                                          .body = json::serialize(body)});
}

Status Daemon::ResizeExec(const std::string& exec, std::uint16_t rows,
                          std::uint16_t columns) const {
  return AcceptEmpty(http_.Send(SizeRequest(fmt::format("/exec/{}/resize", exec), rows, columns)));
}

Result<ExecFacts> Daemon::InspectExec(const std::string& exec) const {
  YARD_ASSIGN(json::value inspect,
              Accept(http_.Send({.path = fmt::format("/exec/{}/json", exec)})));
  return ExecFacts{.running = FlagOf(inspect, "Running") == Flag::kYes,
                   .exit_code = static_cast<std::int32_t>(Number(inspect, "ExitCode")),
                   .pid = Number(inspect, "Pid")};
}

}  // namespace yard::engine::containers
