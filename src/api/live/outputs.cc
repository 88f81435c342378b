// What a task has in its output folder, also after its end.
#include <utility>

#include "api/groups.h"
#include "api/live/views.h"
#include "control/data/drain.h"
#include "data/manifest.h"
#include "data/tar_reader.h"
#include "serve/server.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Live;
using control::TaskChoice;

constexpr std::size_t kMostFiles = 10'000;
constexpr std::size_t kMostNameBytes = 4 << 20;

std::string_view WordOf(data::TarKind kind) {
  switch (kind) {
    case data::TarKind::kFile:
      return "file";
    case data::TarKind::kFolder:
      return "folder";
    case data::TarKind::kLink:
      return "link";
    case data::TarKind::kOther:
      break;
  }
  return "other";
}

// Entries as they come, as many as one answer has room for.
class Listing {
 public:
  Listing() {
    w_.Begin();
    w_.Key("files");
    w_.BeginList();
  }

  // kTooLarge once there is no more room.
  Status Add(const data::TarEntry& entry) {
    std::string_view path = entry.path;
    if (path == ".") return {};
    if (path.starts_with("./")) path.remove_prefix(2);
    const std::string shown = data::Printable(path);
    name_bytes_ += shown.size();
    if (++files_ > kMostFiles || name_bytes_ > kMostNameBytes) {
      truncated_ = true;
      return Fail(Code::kTooLarge, "there are more files than one answer has room for");
    }
    w_.Item();
    w_.Begin();
    w_("path", shown);
    w_("type", WordOf(entry.kind));
    w_("bytes", static_cast<std::int64_t>(entry.size));
    w_("modifiedAt", Time{entry.mtime * 1'000'000});
    w_.End();
    return {};
  }

  bool truncated() const { return truncated_; }

  std::string Take() {
    w_.EndList();
    w_("truncated", truncated_);
    w_.End();
    return std::move(text_);
  }

 private:
  std::string text_;
  wire::Writer w_{text_};
  std::size_t files_ = 0;
  std::size_t name_bytes_ = 0;
  bool truncated_ = false;
};

Result<Slow::Outcome> ListAll(Live& live, const TaskChoice& task, const std::string& path) {
  YARD_ASSIGN(std::unique_ptr<engine::Session> session, live.ListOutput(task, path));
  Listing listing;
  data::TarReader reader(data::TarContents::kLeftOut, {.entry = [&listing](data::TarEntry&& entry) {
                           return listing.Add(entry);
                         }});
  Result<std::string> complaint = control::DrainTar(
      *session, {.take = [&reader](std::string_view piece) { return reader.Feed(piece); }});
  if (!complaint && !listing.truncated()) return Fail(complaint.error());
  if (complaint && !complaint->empty() && !reader.ended())
    return Fail(Code::kNotFound, data::Printable(*complaint));
  return Json(listing.Take());
}

Result<Answer> ListOutputs(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, EnteredWorkload(call));
  YARD_ASSIGN(TaskChoice task, TaskOf(call, *workload));
  YARD_ASSIGN(Live * live, LiveOf(call));
  std::string path(call.Query("path").value_or(""));
  return OnLive([live, task, path = std::move(path)] { return ListAll(*live, task, path); });
}

}  // namespace

void AddLiveOutputRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet,
                    "/api/v1/workloads/{workloadId}/outputs",
                    MayByKind(Action::kUpdate),
                    ListOutputs,
                    "List what a task has in its output folder, also after its end",
                    "",
                    "OutputList",
                    200,
                    {{"path", "string"}, {"attempt", "int(1..)"}, {"rank", "int(0..)"}}});
}

}  // namespace yard::api
