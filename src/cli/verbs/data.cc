// data push, pull, ls, diff, rm: data sets with versions. data take: cli/data/take.cc.
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/data/chunk_server.h"
#include "cli/data/transfer.h"
#include "cli/data/verbs.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "cli/work/find.h"
#include "data/diff.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr std::size_t kShownDigits = 12;

struct DataArguments {
  std::string first;
  std::string second;
  std::string project;
  bool flag = false;
};
using Arguments = std::shared_ptr<DataArguments>;

Outcome<std::unique_ptr<ChunkServer>> Open(Session& session, const DataArguments& arguments) {
  YARD_ASSIGN(ProjectInUse project, FindProject(session, arguments.project));
  // The server keeps a push's name up to 64 characters.
  return ChunkServer::Open(session, project.id, arguments.second.substr(0, 64));
}

bool IsTree(Format format) {
  return format == Format::kJson || format == Format::kYaml;
}

std::uint64_t NumberAt(const json::value& object, std::string_view path) {
  const json::value& value = At(object, path);
  return value.is_int64() ? static_cast<std::uint64_t>(value.get_int64()) : 0;
}

std::string ShortVersion(const json::value& object) {
  return TextAt(object, "version").substr(0, kShownDigits);
}

Outcome<void> RunPush(Session& session, const DataArguments& arguments) {
  YARD_ASSIGN(DataName name, ParseDataName(arguments.second));
  YARD_ASSIGN(auto server, Open(session, arguments));
  YARD_ASSIGN(PushDone done, Push(session, *server, {arguments.first, name, arguments.flag, {}}));
  for (const std::string& path : done.skipped)
    session.Note(fmt::format("skipped '{}': no file, folder or link", path));
  if (IsTree(session.format())) {
    json::object record{{"name", name.name},
                        {"tag", done.tag},
                        {"version", At(done.version, "version")},
                        {"files", At(done.version, "files")},
                        {"bytes", At(done.version, "bytes")},
                        {"readBytes", done.read_bytes},
                        {"sentBytes", done.sent_bytes},
                        {"sentChunks", done.sent_chunks}};
    PrintTree(session.console(), session.format(), record);
    return {};
  }
  session.console().out << fmt::format(
      "{}:{} is version {}: {} files, {}; {} sent in {} chunks\n", name.name, done.tag,
      ShortVersion(done.version), TextAt(done.version, "files"),
      BytesText(NumberAt(done.version, "bytes")), BytesText(done.sent_bytes), done.sent_chunks);
  return {};
}

Outcome<void> RunPull(Session& session, const DataArguments& arguments) {
  YARD_ASSIGN(DataName name, ParseDataName(arguments.first));
  YARD_ASSIGN(auto server, Open(session, arguments));
  YARD_ASSIGN(PullDone done, Pull(session, *server, {arguments.second, name, arguments.flag}));
  session.console().out << fmt::format(
      "{} has version {} of {}: {} files, {} written, {} kept, {} removed\n", arguments.second,
      ShortVersion(done.version), name.name, TextAt(done.version, "files"),
      BytesText(done.written_bytes), done.kept_files, done.removed);
  return {};
}

std::vector<std::vector<std::string>> RowsOf(const json::value& set) {
  std::vector<std::vector<std::string>> rows;
  for (const json::value& version : At(set, "versions").as_array()) {
    std::string tags;
    for (const json::value& tag : At(set, "tags").as_array()) {
      if (At(tag, "version") != At(version, "version")) continue;
      tags += fmt::format("{}{}", tags.empty() ? "" : ",", TextAt(tag, "tag"));
    }
    rows.push_back({TextAt(set, "name"), tags, ShortVersion(version), TextAt(version, "files"),
                    BytesText(NumberAt(version, "bytes")), TextAt(version, "createdAt"),
                    TextAt(version, "createdBy")});
  }
  return rows;
}

Outcome<void> ListSets(Session& session, ChunkServer& server) {
  YARD_ASSIGN(json::value answer, server.List());
  const json::array& list = At(answer, "dataSets").as_array();
  Table table{.header = {"NAME", "TAGS", "VERSION", "FILES", "SIZE", "CREATED", "BY"}, .rows = {}};
  for (const json::value& set : list)
    std::ranges::move(RowsOf(set), std::back_inserter(table.rows));
  YARD_TRY(PrintTable(session, {list.begin(), list.end()}, table));
  session.Hint(fmt::format("{} on the server's disk", BytesText(NumberAt(answer, "storedBytes"))));
  return {};
}

char LetterOf(data::Kind kind) {
  return kind == data::Kind::kFolder ? 'd' : kind == data::Kind::kLink ? 'l' : '-';
}

bool IsBelow(std::string_view path, std::string_view folder) {
  return folder.empty() || path == folder ||
         (path.starts_with(folder) && path[folder.size()] == '/');
}

Outcome<void> ListFiles(Session& session, ChunkServer& server, const DataArguments& arguments) {
  YARD_ASSIGN(DataName name, ParseDataName(arguments.first));
  YARD_ASSIGN(json::value version, server.Find(name.name, name.which));
  YARD_ASSIGN(std::vector<data::Entry> entries, FetchEntries(server, version));
  std::string folder = arguments.second;
  while (folder.ends_with('/')) folder.pop_back();
  Table table{.header = {"MODE", "SIZE", "PATH"}, .rows = {}};
  std::vector<json::value> objects;
  for (const data::Entry& entry : entries) {
    if (!IsBelow(entry.path, folder)) continue;
    const std::string arrow =
        entry.kind == data::Kind::kLink ? " -> " + data::Printable(entry.target) : "";
    table.rows.push_back({fmt::format("{}{:03o}", LetterOf(entry.kind), entry.mode),
                          fmt::format("{}", entry.size), data::Printable(entry.path) + arrow});
    objects.push_back(json::object{{"path", entry.path}, {"size", entry.size}});
  }
  if (!folder.empty() && objects.empty())
    return std::unexpected(Failure(
        {Code::kNotFound, fmt::format("there is no '{}' in {}", folder, arguments.first), ""}));
  return PrintTable(session, objects, table);
}

Outcome<void> RunList(Session& session, const DataArguments& arguments) {
  YARD_ASSIGN(auto server, Open(session, arguments));
  return arguments.first.empty() ? ListSets(session, *server)
                                 : ListFiles(session, *server, arguments);
}

Outcome<std::vector<data::Entry>> EntriesOf(ChunkServer& server, const std::string& text) {
  YARD_ASSIGN(DataName name, ParseDataName(text));
  YARD_ASSIGN(json::value version, server.Find(name.name, name.which));
  return FetchEntries(server, version);
}

Outcome<void> RunDiff(Session& session, const DataArguments& arguments) {
  YARD_ASSIGN(auto server, Open(session, arguments));
  YARD_ASSIGN(std::vector<data::Entry> before, EntriesOf(*server, arguments.first));
  YARD_ASSIGN(std::vector<data::Entry> after, EntriesOf(*server, arguments.second));
  Table table{.header = {"CHANGE", "OLD", "NEW", "PATH"}, .rows = {}};
  std::vector<json::value> objects;
  for (const data::Difference& one : data::Compare(before, after)) {
    using enum data::Difference::What;
    const char* change = one.what == kAdded     ? "added"
                         : one.what == kRemoved ? "removed"
                                                : "changed";
    table.rows.push_back({change, fmt::to_string(one.old_size), fmt::to_string(one.new_size),
                          data::Printable(one.path)});
    objects.push_back(json::object{{"change", change},
                                   {"path", one.path},
                                   {"oldSize", one.old_size},
                                   {"newSize", one.new_size}});
  }
  return PrintTable(session, objects, table);
}

Outcome<void> RunRemove(Session& session, const DataArguments& arguments) {
  YARD_ASSIGN(DataName name, ParseDataName(arguments.first));
  YARD_ASSIGN(auto server, Open(session, arguments));
  YARD_ASSIGN(json::value removed, server->Remove(name.name, name.which));
  session.console().out << fmt::format("{} versions removed, {} freed\n",
                                       TextAt(removed, "versions"),
                                       BytesText(NumberAt(removed, "freedBytes")));
  return {};
}

using Action = Outcome<void> (*)(Session&, const DataArguments&);

Arguments Begin(Verb& verb, Session& session, Action action) {
  auto arguments = std::make_shared<DataArguments>();
  verb.Text("-p,--project", arguments->project, "the project it belongs to", "NAME");
  verb.Run([arguments, &session, action] { return action(session, *arguments); });
  return arguments;
}

void AddTransfers(const Verb& root, Session& session) {
  Verb push = root.Add("push", "Make a folder a new version; only what changed travels");
  Arguments to = Begin(push, session, RunPush);
  push.NeedsWord("DIR", to->first, "the folder")
      .NeedsWord("NAME[:TAG]", to->second, "the data set, and the tag that is to name it [latest]")
      .Flag("--checksum", to->flag, "read files too whose size and time have not changed")
      .Format()
      .Examples(
          "gpuyard data push ./images images\ngpuyard data push ./images images:v2 -p vision");
  Verb pull = root.Add("pull", "Write a version into a folder");
  Arguments from = Begin(pull, session, RunPull);
  pull.NeedsWord("NAME[:TAG]", from->first, "the data set, and its tag or version [latest]")
      .NeedsWord("DIR", from->second, "the folder; made if it is not there")
      .Flag("--delete", from->flag, "remove from the folder what is not in the version")
      .Examples("gpuyard data pull images ./images\ngpuyard data pull images:v2 /tmp/v2 --delete");
}

}  // namespace

void AddData(CLI::App& app, Session& session) {
  Verb root = Verb(app, session).Add("data", "Data sets with versions: push, pull, list, compare");
  root.NeedsVerb();
  AddTransfers(root, session);
  AddTake(root, session);
  Verb list = root.Add("ls", "List data sets, or the files of one version");
  Arguments listed = Begin(list, session, RunList);
  list.Word("NAME[:TAG]", listed->first, "a data set, and its tag or version [latest]")
      .Word("PATH", listed->second, "only what is below this path")
      .Format()
      .Examples("gpuyard data ls\ngpuyard data ls images:v2 train/");
  Verb diff = root.Add("diff", "Show what changed from one version to another");
  Arguments compared = Begin(diff, session, RunDiff);
  diff.NeedsWord("OLD", compared->first, "NAME[:TAG]")
      .NeedsWord("NEW", compared->second, "NAME[:TAG]")
      .Format()
      .Examples("gpuyard data diff images:v1 images:v2");
  Verb remove = root.Add("rm", "Remove a data set, a tag or a version, and free its space");
  Arguments gone = Begin(remove, session, RunRemove);
  remove.NeedsWord("NAME[:TAG]", gone->first, "all of a data set, or what the tag or version names")
      .Examples("gpuyard data rm images:v1\ngpuyard data rm images");
}

}  // namespace yard::cli
