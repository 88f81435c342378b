// Entering work that runs: commands, its own terminal, its ports, its files.
#include <algorithm>

#include "api/groups.h"
#include "api/live/views.h"
#include "base/strings.h"
#include "serve/live/bridge.h"

namespace yard::api {
namespace {

using control::Live;
using control::TaskChoice;

Result<std::uint16_t> CellsOf(const Call& call, std::string_view name, std::uint16_t otherwise) {
  YARD_ASSIGN(std::optional<std::int64_t> cells, NumberOf(call, name, 1));
  return cells ? static_cast<std::uint16_t>(std::min<std::int64_t>(*cells, 10'000)) : otherwise;
}

Result<engine::ExecSpec> ExecSpecOf(const Call& call) {
  engine::ExecSpec spec;
  for (const auto& [key, value] : call.query()) {
    if (key == "command") spec.command.push_back(value);
  }
  if (spec.command.empty()) {
    return Fail(Code::kInvalid, "no command is given",
                "send each word as one ?command=, for example ?command=ls&command=-l");
  }
  spec.tty = call.Query("tty") == "true";
  YARD_ASSIGN(spec.rows, CellsOf(call, "rows", spec.rows));
  YARD_ASSIGN(spec.columns, CellsOf(call, "columns", spec.columns));
  return spec;
}

// Opens a session where that may block, then answers with a WebSocket that carries it.
template <class Open>
Result<Answer> SessionAnswer(Call& call, Open open) {
  YARD_ASSIGN(Live * live, LiveOf(call));
  return OnLive([&call, live, open = std::move(open)]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::unique_ptr<engine::Session> opened, open(*live));
    serve::LiveThreads& threads = ThreadsOf(call);
    return AcceptSocket(call, EnteredWorkload,
                        [&threads, session = serve::Hold(threads, std::move(opened))](
                            std::shared_ptr<http::WebSocket> socket) mutable {
                          BridgeSession(threads, std::move(session), std::move(socket));
                        });
  });
}

Result<Answer> Exec(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, EnteredWorkload(call));
  if (auto refused = RefuseWithoutHandshake(call)) return *std::move(refused);
  YARD_ASSIGN(TaskChoice task, TaskOf(call, *workload));
  YARD_ASSIGN(engine::ExecSpec spec, ExecSpecOf(call));
  return SessionAnswer(call, [task, spec](Live& live) { return live.Exec(task, spec); });
}

Result<Answer> Attach(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, EnteredWorkload(call));
  if (auto refused = RefuseWithoutHandshake(call)) return *std::move(refused);
  YARD_ASSIGN(TaskChoice task, TaskOf(call, *workload));
  return SessionAnswer(call, [task](Live& live) { return live.Attach(task); });
}

Result<Answer> Upload(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, EnteredWorkload(call));
  if (auto refused = RefuseWithoutHandshake(call)) return *std::move(refused);
  YARD_ASSIGN(TaskChoice task, TaskOf(call, *workload));
  std::string path(call.Query("path").value_or(""));
  if (path.empty()) return Fail(Code::kInvalid, "no path is given", "send ?path= of the folder");
  return SessionAnswer(call, [task, path](Live& live) { return live.WriteFiles(task, path); });
}

Result<std::uint16_t> PortOf(const Call& call) {
  std::optional<std::int64_t> port = ParseInt(call.Path("port"));
  if (port && *port > 0 && *port < 65'536) return static_cast<std::uint16_t>(*port);
  return Fail(Code::kInvalid, "the port must be a number from 1 to 65535");
}

Result<Answer> Port(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, EnteredWorkload(call));
  if (auto refused = RefuseWithoutHandshake(call)) return *std::move(refused);
  YARD_ASSIGN(TaskChoice task, TaskOf(call, *workload));
  YARD_ASSIGN(std::uint16_t port, PortOf(call));
  YARD_ASSIGN(Live * live, LiveOf(call));
  return OnLive([&call, live, task, port]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(UniqueFd stream, live->ConnectPort(task, port));
    serve::LiveThreads& threads = ThreadsOf(call);
    return AcceptSocket(
        call, EnteredWorkload,
        [&threads, stream = std::move(stream)](std::shared_ptr<http::WebSocket> socket) mutable {
          BridgePort(threads, std::move(stream), std::move(socket));
        });
  });
}

}  // namespace

void AddLiveSessionRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Need kUpdate = MayByKind(Action::kUpdate);
  const QueryParameter rank{"rank", "int(0..)"};
  routes.insert(routes.end(), {{kGet,
                                "/api/v1/workloads/{workloadId}/exec",
                                kUpdate,
                                Exec,
                                "Run a command inside a task, over a WebSocket",
                                "",
                                "",
                                101,
                                {{"command", "[string]", true},
                                 {"tty", "bool"},
                                 {"rows", "int(1..)"},
                                 {"columns", "int(1..)"},
                                 rank}},
                               {kGet,
                                "/api/v1/workloads/{workloadId}/attach",
                                kUpdate,
                                Attach,
                                "A task's own terminal, over a WebSocket",
                                "",
                                "",
                                101,
                                {rank}},
                               {kGet,
                                "/api/v1/workloads/{workloadId}/ports/{port}",
                                kUpdate,
                                Port,
                                "A connection to a port of a task, over a WebSocket",
                                "",
                                "",
                                101,
                                {rank}},
                               {kGet,
                                "/api/v1/workloads/{workloadId}/files/upload",
                                kUpdate,
                                Upload,
                                "Unpack a tar stream into a folder of a task, over a WebSocket",
                                "",
                                "",
                                101,
                                {{"path", "string", true}, rank}}});
}

}  // namespace yard::api
