// data take: what was uploaded by FTPS becomes a version of a data set, on the server.
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "cli/data/chunk_server.h"
#include "cli/data/verbs.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "cli/work/find.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr Micros kBetweenAsks{300'000};
constexpr std::size_t kShownDigits = 12;

struct TakeArguments {
  std::string name;
  std::string folder;
  std::string project;
};

std::uint64_t BytesOf(const json::value& state) {
  const json::value& value = At(state, "bytes");
  return value.is_int64() ? static_cast<std::uint64_t>(value.get_int64()) : 0;
}

// Asks until it has ended.
Outcome<json::value> Await(Session& session, client::Client& server, const std::string& path,
                           json::value state) {
  while (true) {
    const std::string word = TextAt(state, "state");
    if (word == "done") return state;
    if (word == "failed")
      return std::unexpected(Failure({Code::kConflict, TextAt(state, "problem"),
                                      "nothing was made; correct it and take the folder again"}));
    if (session.around().wait) session.around().wait(kBetweenAsks);
    YARD_ASSIGN(state, server.Get(fmt::format("{}/{}", path, TextAt(state, "takeId"))));
  }
}

Outcome<void> RunTake(Session& session, const TakeArguments& arguments) {
  YARD_ASSIGN(const DataName name, ParseDataName(arguments.name));
  YARD_ASSIGN(const ProjectInUse project, FindProject(session, arguments.project));
  YARD_ASSIGN(client::Client * server, session.Server());
  json::object draft{{"name", name.name}, {"folder", arguments.folder}};
  if (!name.which.empty()) draft["tag"] = name.which;
  const std::string path = fmt::format("/api/v1/datasets/{}/takes", project.id);
  YARD_ASSIGN(json::value begun,
              server->SendForJson(
                  {.method = client::Method::kPost, .path = path, .body = json::serialize(draft)}));
  YARD_ASSIGN(const json::value done, Await(session, *server, path, std::move(begun)));
  if (const std::string skipped = TextAt(done, "skipped"); skipped != "0")
    session.Note(fmt::format("skipped {} that are no file, folder or link", skipped));
  if (session.format() == Format::kJson || session.format() == Format::kYaml) {
    PrintTree(session.console(), session.format(), done);
    return {};
  }
  session.console().out << fmt::format("{}:{} is version {}: {} files, {}\n", name.name,
                                       TextAt(done, "tag"),
                                       TextAt(done, "version").substr(0, kShownDigits),
                                       TextAt(done, "files"), BytesText(BytesOf(done)));
  return {};
}

}  // namespace

void AddTake(const Verb& data, Session& session) {
  auto arguments = std::make_shared<TakeArguments>();
  Verb verb = data.Add("take", "Make a folder that was uploaded by FTPS a new version");
  verb.NeedsWord("NAME[:TAG]", arguments->name,
                 "the data set, and the tag that is to name it [latest]")
      .NeedsWord("FOLDER", arguments->folder, "the folder, as lftp shows it; / is all of them")
      .Text("-p,--project", arguments->project, "the project it belongs to", "NAME")
      .Format()
      .Examples(
          "gpuyard data take mnist:v1 /mnt/nfs/alice/data\ngpuyard data take code alice/mnist");
  verb.Run([arguments, &session] { return RunTake(session, *arguments); });
}

}  // namespace yard::cli
