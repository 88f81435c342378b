#include <string>

#include "facade/mlflow/ask.h"
#include "facade/mlflow/render.h"
#include "facade/mlflow/routes.h"

namespace yard::facade::mlflow {
namespace {

using serve::Answer;

// The version of MLflow whose routes are served; clients ask for it before they use newer ones.
constexpr std::string_view kServedVersion = "3.1.0";

Result<Answer> ServerInfo(serve::Call&) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("store_type", "SqlStore");
  w("workspaces_enabled", true);
  w("multipart_uploads_enabled", true);
  w.End();
  return serve::Json(std::move(out));
}

Result<Answer> Version(serve::Call&) {
  http::Reply reply;
  reply.content_type = "text/plain";
  reply.body = kServedVersion;
  return reply;
}

void WriteWorkspace(wire::Writer& w, const Project& project) {
  w.Begin();
  w("name", project.name);
  w("description", project.description);
  w.End();
}

Result<Answer> ListWorkspaces(Ask& ask) {
  YARD_ASSIGN(std::set<ProjectId> visible, ask.Visible());
  return serve::Json(Wrapped("workspaces", [&](wire::Writer& w) {
    w.BeginList();
    for (ProjectId id : visible) {
      w.Item();
      WriteWorkspace(w, *ask.call().state().Find<Project>(id));
    }
    w.EndList();
  }));
}

Result<Answer> GetWorkspace(Ask& ask) {
  YARD_ASSIGN(Ptr<Project> project, ask.NamedProject(ask.call().Path("name")));
  return serve::Json(Wrapped("workspace", [&](wire::Writer& w) { WriteWorkspace(w, *project); }));
}

}  // namespace

void AddServerRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need read = serve::May(Action::kRead, Resource::kTrainings);
  routes.insert(
      routes.end(),
      {
          {Method::kGet, "/version", serve::Public(), Version, "The served version of MLflow"},
          {Method::kGet, "/api/3.0/mlflow/server-info", serve::Public(), ServerInfo,
           "What the server can do"},
          {Method::kGet, "/api/3.0/mlflow/workspaces", read, On<ListWorkspaces>, "List workspaces"},
          {Method::kGet, "/api/3.0/mlflow/workspaces/{name}", read, On<GetWorkspace>,
           "Get a workspace"},
      });
}

}  // namespace yard::facade::mlflow
