#include "cli/enter/copy.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "cli/enter/child.h"
#include "cli/enter/enter.h"
#include "cli/enter/pump.h"
#include "cli/enter/terminal.h"

namespace yard::cli {
namespace {

namespace fs = std::filesystem;
using client::Failure;
using client::Outcome;

Failure Unpacked(int code) {
  return Failure({Code::kInvalid, fmt::format("tar ended with {}", code),
                  "see its message above; is the target writable?"});
}

// A folder of our own beside the target, gone with its holder.
class Staging {
 public:
  static Result<Staging> In(const fs::path& folder, const std::string& key) {
    fs::path path = folder / (".gpuyard-cp-" + key.substr(0, 12));
    std::error_code error;
    fs::create_directory(path, error);
    if (!error) return Staging(path);
    return Fail(Code::kInvalid,
                fmt::format("cannot write into {}: {}", folder.string(), error.message()));
  }
  Staging(Staging&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Staging& operator=(Staging&&) = delete;
  ~Staging() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  explicit Staging(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

// Unpacks the task's tar stream into `folder`.
using Query = std::vector<std::pair<std::string, std::string>>;
Outcome<void> Unpack(Session& session, const std::string& id, Query query, const fs::path& folder) {
  YARD_ASSIGN(client::Client * server, session.Server());
  IgnoreBrokenPipes();
  // Started with the first bytes, so that it has nothing to say about a transfer that was refused.
  std::optional<Child> tar;
  bool taken = true;
  auto take = [&](std::string_view piece) {
    if (!tar) {
      Result<Child> started = Child::Start(
          {"tar", "-x", "--no-same-owner", "--no-same-permissions", "-C", folder.string()},
          ChildPipe::kItsInput);
      taken = started.has_value();
      if (taken) tar.emplace(*std::move(started));
    }
    taken = taken && WriteAll(tar->pipe(), piece.data(), piece.size());
    return taken;
  };
  YARD_TRY(server->Download(
      {.path = fmt::format("/api/v1/workloads/{}/files", id), .query = std::move(query)},
      {.take = take}));
  constexpr int kNoProgram = 127;
  if (tar) tar->ClosePipe();
  int code = tar ? tar->Wait() : kNoProgram;
  if (code != 0 || !taken) return std::unexpected(Unpacked(code));
  return {};
}

}  // namespace

CopyEnd ParseCopyEnd(std::string_view text) {
  std::size_t colon = text.find(':');
  std::size_t slash = text.find('/');
  // "./a:b" is a local file; "vision/train:/x" is in a task.
  bool local =
      colon == std::string_view::npos || text.starts_with('.') || text.starts_with('/') ||
      (slash != std::string_view::npos && slash < colon && text.find('/', slash + 1) < colon);
  if (local) return {"", std::string(text)};
  return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

std::string RenameOption(std::string_view own, std::string_view name) {
  auto escaped = [](std::string_view text, std::string_view special) {
    std::string safe;
    for (char c : text) {
      if (special.contains(c)) safe += '\\';
      safe += c;
    }
    return safe;
  };
  // No name that people type holds the separator, so only the expression's own signs count.
  return fmt::format("--transform=flags=r;s\x01^{}\x01{}\x01", escaped(own, "\\.[]*^$"),
                     escaped(name, "\\&"));
}

Outcome<void> CopyOut(Session& session, const std::string& id, const std::string& source,
                      const std::string& target) {
  fs::path place = target;
  std::error_code error;
  bool into = fs::is_directory(place, error);
  fs::path folder = into ? place : fs::absolute(place).parent_path();
  YARD_ASSIGN(Staging staging, Staging::In(folder, session.NewKey()));
  YARD_TRY(Unpack(session, id, {{"path", source}}, staging.path()));
  for (const fs::directory_entry& entry : fs::directory_iterator(staging.path(), error)) {
    fs::path final_place = into ? folder / entry.path().filename() : place;
    fs::rename(entry.path(), final_place, error);
    if (error)
      return std::unexpected(
          Failure({Code::kInvalid,
                   fmt::format("cannot write {}: {}", final_place.string(), error.message())}));
    session.Note(fmt::format("{} is here", final_place.string()));
  }
  return {};
}

Outcome<bool> CopyLeft(Session& session, const std::string& id, const LeftAt& left,
                       const std::string& target) {
  std::error_code error;
  fs::create_directories(target, error);
  if (error)
    return std::unexpected(
        Failure({Code::kInvalid, fmt::format("cannot make {}: {}", target, error.message())}));
  Outcome<void> done =
      Unpack(session, id, {{"path", left.path}, {"attempt", std::to_string(left.attempt)}}, target);
  if (done) return true;
  if (done.error().error.code == Code::kNotFound) return false;
  return std::unexpected(done.error());
}

Status CheckSource(const std::string& source) {
  std::error_code error;
  if (fs::exists(source, error)) return {};
  return Fail(Code::kNotFound, fmt::format("there is no file '{}' here", source),
              "a file in a task is written NAME:PATH");
}

namespace {

// Whether the task has a folder of this name, into which the copy then goes.
bool IsFolderThere(Session& session, const std::string& id, const std::string& path) {
  return ExecForText(session, id, {"/bin/sh", "-c", "[ -d \"$1\" ]", "sh", path}).has_value();
}

}  // namespace

Outcome<void> CopyIn(Session& session, const std::string& id, const std::string& source,
                     const std::string& target) {
  fs::path from = fs::absolute(source);
  if (from.filename().empty()) from = from.parent_path();
  YARD_TRY(CheckSource(source));
  fs::path to = target.empty() ? "." : target;
  bool into = target.empty() || target.ends_with('/') || IsFolderThere(session, id, target);
  fs::path folder = into ? to : to.parent_path();
  std::string own = from.filename().string();
  std::string name = into ? own : to.filename().string();
  // A backslash in a name is one, too.
  std::vector<std::string> words = {"tar", "-c", "--no-unquote", "-C", from.parent_path().string()};
  // A container has ids below this one only.
  constexpr uid_t kIdsOfContainer = 65'536;
  if (::getuid() >= kIdsOfContainer || ::getgid() >= kIdsOfContainer)
    words.insert(words.end(), {"--owner=0", "--group=0"});
  if (name != own) words.push_back(RenameOption(own, name));
  words.insert(words.end(), {"--", own});
  YARD_ASSIGN(auto channel, OpenChannel(session, id, "/files/upload",
                                        {{"path", folder.empty() ? "." : folder.string()}}));
  YARD_ASSIGN(Child tar, Child::Start(words, ChildPipe::kItsOutput));
  Outcome<int> code = Pump(*channel, {.in = tar.pipe(), .out = 2, .err = 2, .terminal = -1});
  // Where the other side refused it, nobody reads the rest.
  tar.ClosePipe();
  int packed = tar.Wait();
  if (!code) return std::unexpected(code.error());
  if (*code != 0 || packed != 0)
    return std::unexpected(Failure(
        {Code::kPrecondition, fmt::format("{} was not copied", source), "see the message above"}));
  session.Note(fmt::format("{} is in the task as {}", source, (folder / name).string()));
  return {};
}

}  // namespace yard::cli
