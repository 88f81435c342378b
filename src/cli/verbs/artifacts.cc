// artifacts: files of runs, as they come and go.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "cli/data/progress.h"
#include "cli/print.h"
#include "cli/track/runs.h"
#include "cli/track/verbs.h"
#include "cli/verb.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

// A part that did not arrive is sent again, so it should not be too large; a file has at most so
// many of them.
constexpr std::uint64_t kLeastPart = 8 << 20;
constexpr std::uint64_t kMostParts = 10'000;

struct ArtifactArguments {
  std::string run;
  std::string verb;
  std::string path;
  std::string to;
};

std::string FilesPath(const json::value& run) {
  return fmt::format("/api/v1/runs/{}/artifacts", TextAt(run, "id"));
}

Outcome<void> ListFiles(Session& session, client::Client& server, const json::value& run,
                        const std::string& path) {
  YARD_ASSIGN(json::value found, server.Get(FilesPath(run), {{"path", path}}));
  const json::array& list = found.at("files").as_array();
  Table table{.header = {"NAME", "BYTES"}};
  for (const json::value& file : list) {
    bool folder = file.at("folder").as_bool();
    table.rows.push_back(
        {TextAt(file, "name") + (folder ? "/" : ""), folder ? "" : TextAt(file, "bytes")});
  }
  return PrintTable(session, {list.begin(), list.end()}, table);
}

Outcome<void> GetFile(Session& session, client::Client& server, const json::value& run,
                      const ArtifactArguments& arguments) {
  std::string name = arguments.path.substr(arguments.path.rfind('/') + 1);
  std::string to = arguments.to.empty() ? name : arguments.to;
  // Under its name only when it is whole.
  std::string part = to + ".part";
  std::ofstream file(part, std::ios::binary | std::ios::trunc);
  auto take = [&](std::string_view piece) {
    file.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    return file.good();
  };
  YARD_TRY(server.Download({.path = FilesPath(run) + "/file", .query = {{"path", arguments.path}}},
                           {.take = take}));
  file.close();
  if (file.fail() || std::rename(part.c_str(), to.c_str()) != 0) {
    return std::unexpected(Failure({Code::kUnavailable, fmt::format("cannot write '{}'", to),
                                    "check the folder and the space on its disk"}));
  }
  session.Note(fmt::format("{} is in {}", arguments.path, to));
  return {};
}

std::string NameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// A file on its way to the server. Parts that have arrived before are not sent again.
class Putting {
 public:
  Putting(Session& session, client::Client& server, const json::value& run, std::string place)
      : session_(session), server_(server), files_(FilesPath(run)), place_(std::move(place)) {}

  Outcome<void> Send(const std::string& path) {
    struct stat about{};
    if (::stat(path.c_str(), &about) != 0) return Unreadable(path);
    if (!S_ISREG(about.st_mode)) {
      return std::unexpected(
          Failure({Code::kInvalid, fmt::format("'{}' is not a file", path), "say one file"}));
    }
    file_.open(path, std::ios::binary);
    if (!file_) return Unreadable(path);
    bytes_ = static_cast<std::uint64_t>(about.st_size);
    part_ = std::max(kLeastPart, bytes_ / kMostParts + 1);
    // The same content, as far as can be told without reading it twice.
    mark_ = fmt::format("{} bytes of {}.{:09} in {}", bytes_, about.st_mtim.tv_sec,
                        about.st_mtim.tv_nsec, part_);
    return bytes_ <= part_ ? SendWhole() : SendParts();
  }

 private:
  static Outcome<void> Unreadable(const std::string& path) {
    return std::unexpected(
        Failure({Code::kInvalid, fmt::format("cannot read '{}': {}", path, std::strerror(errno))}));
  }

  Outcome<std::string> Read(std::uint64_t from, std::uint64_t count) {
    std::string piece(count, '\0');
    file_.seekg(static_cast<std::streamoff>(from));
    file_.read(piece.data(), static_cast<std::streamsize>(count));
    if (!file_) {
      return std::unexpected(
          Failure({Code::kInvalid, "the file has become shorter while it was sent", "try again"}));
    }
    return piece;
  }

  Outcome<void> SendWhole() {
    YARD_ASSIGN(std::string body, Read(0, bytes_));
    YARD_TRY(server_.Send({.method = client::Method::kPut,
                           .path = files_ + "/file",
                           .query = {{"path", place_}},
                           .body = std::move(body),
                           .content_type = "application/octet-stream"}));
    return {};
  }

  Outcome<void> SendParts() {
    const std::uint64_t parts = (bytes_ + part_ - 1) / part_;
    json::object wish{{"path", place_}, {"parts", parts}, {"mark", mark_}};
    YARD_ASSIGN(json::value begun, server_.SendForJson({.method = client::Method::kPost,
                                                        .path = files_ + "/uploads",
                                                        .body = json::serialize(wish),
                                                        .is_repeatable = true}));
    upload_ = TextAt(begun, "uploadId");
    std::set<std::uint64_t> arrived;
    for (const json::value& part : begun.at("arrived").as_array())
      arrived.insert(part.to_number<std::uint64_t>());
    if (!arrived.empty())
      session_.Note(fmt::format("going on after {} of {} parts", arrived.size(), parts));
    Progress progress(session_, "put " + NameOf(place_), bytes_);
    for (std::uint64_t part = 1; part <= parts; ++part) {
      const std::uint64_t from = (part - 1) * part_;
      const std::uint64_t count = std::min(part_, bytes_ - from);
      if (!arrived.contains(part)) YARD_TRY(SendPart(part, from, count));
      progress.Add(count);
      progress.Show("");
    }
    return Complete();
  }

  Outcome<void> SendPart(std::uint64_t part, std::uint64_t from, std::uint64_t count) {
    YARD_ASSIGN(std::string body, Read(from, count));
    YARD_TRY(server_.Send(
        {.method = client::Method::kPut,
         .path = files_ + "/uploads",
         .query = {{"path", place_}, {"upload", upload_}, {"part", std::to_string(part)}},
         .body = std::move(body),
         .content_type = "application/octet-stream"}));
    return {};
  }

  // The server may take longer to put a large file together than it lets a request wait. It says
  // so (429), and asking again finds the end of it.
  Outcome<void> Complete() {
    constexpr int kTooMany = 429;
    const client::Request request{.method = client::Method::kPost,
                                  .path = files_ + "/uploads/complete",
                                  .query = {{"path", place_}, {"upload", upload_}},
                                  .is_repeatable = true};
    for (;;) {
      Outcome<client::Reply> done = server_.Send(request);
      if (done) return {};
      if (done.error().status != kTooMany) return std::unexpected(done.error());
      session_.Note("the server is putting the file together");
      if (server_.options().wait) server_.options().wait(Seconds(2));
    }
  }

  Session& session_;
  client::Client& server_;
  const std::string files_;
  const std::string place_;
  std::ifstream file_;
  std::uint64_t bytes_ = 0;
  std::uint64_t part_ = 0;
  std::string mark_;
  std::string upload_;
};

Outcome<void> PutFile(Session& session, client::Client& server, const json::value& run,
                      const ArtifactArguments& arguments) {
  const std::string place = arguments.to.empty() ? NameOf(arguments.path) : arguments.to;
  YARD_TRY(Putting(session, server, run, place).Send(arguments.path));
  session.Note(fmt::format("{} is in run {}", place, TextAt(run, "name")));
  return {};
}

Outcome<void> RemoveFile(Session& session, client::Client& server, const json::value& run,
                         const ArtifactArguments& arguments) {
  YARD_TRY(server.Send({.method = client::Method::kDelete,
                        .path = FilesPath(run) + "/file",
                        .query = {{"path", arguments.path}}}));
  session.Note(fmt::format("{} is deleted", arguments.path));
  return {};
}

Outcome<void> Artifacts(Session& session, const ArtifactArguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value run, FindRun(*server, arguments.run));
  const std::string& verb = arguments.verb;
  const bool needs_file = verb == "get" || verb == "put" || verb == "rm";
  if (needs_file && arguments.path.empty()) {
    return std::unexpected(Failure({Code::kInvalid, "which file?", "say its path"}));
  }
  if (verb == "get") return GetFile(session, *server, run, arguments);
  if (verb == "put") return PutFile(session, *server, run, arguments);
  if (verb == "rm") return RemoveFile(session, *server, run, arguments);
  return ListFiles(session, *server, run, verb == "ls" ? arguments.path : verb);
}

}  // namespace

void AddArtifacts(const Verb& root, Session& session) {
  auto arguments = std::make_shared<ArtifactArguments>();
  Verb verb = root.Add("artifacts", "Files of a run: list, get, put, delete them");
  verb.NeedsWord("RUN", arguments->run, "its name or id")
      .Word("ls|get|put|rm", arguments->verb, "what to do [ls]")
      .Word("PATH", arguments->path, "a file or folder of the run; with put, a file here")
      .Text("--to", arguments->to, "where to put the file, here or in the run [its own name]",
            "FILE")
      .Format()
      .Examples(
          "gpuyard artifacts quick-otter-17\n"
          "gpuyard artifacts quick-otter-17 ls model\n"
          "gpuyard artifacts quick-otter-17 get model/weights.pt --to weights.pt\n"
          "gpuyard artifacts quick-otter-17 put weights.pt --to model/weights.pt\n"
          "gpuyard artifacts quick-otter-17 rm model/weights.pt");
  verb.Run([arguments, &session] { return Artifacts(session, *arguments); });
}

}  // namespace yard::cli
