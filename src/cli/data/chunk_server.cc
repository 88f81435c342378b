#include "cli/data/chunk_server.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "base/trusted_json.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr std::size_t kFetchedAtOnce = 16;
constexpr const char* kBytes = "application/vnd.gpuyard.chunks";

Failure NotUnderstood() {
  return Failure({Code::kInternal, "the server's answer is not what was asked for",
                  "is the server of the same version?"});
}

}  // namespace

Outcome<std::unique_ptr<ChunkServer>> ChunkServer::Open(Session& session,
                                                        const std::string& project_id,
                                                        std::string push) {
  YARD_ASSIGN(client::Client * first, session.Server());
  client::Options options = first->options();
  if (options.renew_token) {
    // One at a time: the profile has one token.
    auto guard = std::make_shared<std::mutex>();
    options.renew_token = [guard, renew = options.renew_token] {
      const std::lock_guard hold(*guard);
      return renew();
    };
  }
  return std::unique_ptr<ChunkServer>(new ChunkServer(
      std::move(options), fmt::format("/api/v1/datasets/{}", project_id), std::move(push)));
}

Outcome<client::Reply> ChunkServer::Ask(const client::Request& request) {
  std::unique_ptr<client::Client> mine;
  {
    const std::lock_guard hold(mutex_);
    if (!idle_.empty()) {
      mine = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!mine) mine = std::make_unique<client::Client>(options_);
  Outcome<client::Reply> reply = mine->Send(request);
  const std::lock_guard hold(mutex_);
  idle_.push_back(std::move(mine));
  return reply;
}

Outcome<json::value> ChunkServer::AskForJson(const client::Request& request) {
  YARD_ASSIGN(client::Reply reply, Ask(request));
  Result<json::value> value = ParseTrustedJson(reply.body);
  if (!value || !value->is_object()) return std::unexpected(NotUnderstood());
  return *std::move(value);
}

Outcome<std::vector<data::ChunkId>> ChunkServer::Missing(std::span<const data::ChunkId> ids) {
  if (ids.empty()) return std::vector<data::ChunkId>();
  YARD_ASSIGN(client::Reply reply, Ask({.method = client::Method::kPost,
                                        .path = path_ + "/missing",
                                        .query = {{"push", push_}},
                                        .body = data::JoinIds(ids),
                                        .content_type = kBytes,
                                        .is_repeatable = true}));
  Result<std::vector<data::ChunkId>> missing = data::SplitIds(reply.body);
  if (!missing) return std::unexpected(NotUnderstood());
  return *std::move(missing);
}

Outcome<void> ChunkServer::Send(std::string frames) {
  if (frames.empty()) return {};
  YARD_TRY(Ask({.method = client::Method::kPost,
                .path = path_ + "/chunks",
                .query = {{"push", push_}},
                .body = std::move(frames),
                .content_type = kBytes,
                .is_repeatable = true}));
  return {};
}

Outcome<std::vector<std::string>> ChunkServer::Fetch(std::span<const data::ChunkId> ids) {
  std::vector<std::string> contents;
  if (ids.empty()) return contents;
  YARD_ASSIGN(client::Reply reply, Ask({.method = client::Method::kPost,
                                        .path = path_ + "/read",
                                        .body = data::JoinIds(ids),
                                        .content_type = kBytes,
                                        .is_repeatable = true}));
  Result<std::vector<data::Frame>> frames = data::ReadFrames(reply.body);
  if (!frames || frames->size() != ids.size()) return std::unexpected(NotUnderstood());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if ((*frames)[i].id != ids[i]) return std::unexpected(NotUnderstood());
    YARD_ASSIGN(std::string content, data::Unpack((*frames)[i]));
    contents.push_back(std::move(content));
  }
  return contents;
}

Outcome<json::value> ChunkServer::Find(const std::string& name, const std::string& which) {
  client::Request request{.path = fmt::format("{}/sets/{}", path_, name)};
  if (!which.empty()) request.query.emplace_back("version", which);
  return AskForJson(request);
}

Outcome<json::value> ChunkServer::Commit(const json::object& draft) {
  return AskForJson({.method = client::Method::kPost,
                     .path = path_ + "/versions",
                     .body = json::serialize(draft),
                     .is_repeatable = true});
}

Outcome<json::value> ChunkServer::List() {
  return AskForJson({.path = path_});
}

Outcome<json::value> ChunkServer::Remove(const std::string& name, const std::string& which) {
  client::Request request{.method = client::Method::kDelete,
                          .path = fmt::format("{}/sets/{}", path_, name)};
  if (!which.empty()) request.query.emplace_back("version", which);
  return AskForJson(request);
}

Outcome<std::vector<data::Entry>> FetchEntries(ChunkServer& server, const json::value& version) {
  std::vector<data::ChunkId> ids;
  const json::value& list = At(version, "manifest");
  if (!list.is_array()) return std::unexpected(NotUnderstood());
  for (const json::value& item : list.as_array()) {
    const auto id = item.is_string() ? data::ParseHex(item.as_string()) : std::nullopt;
    if (!id) return std::unexpected(NotUnderstood());
    ids.push_back(*id);
  }
  std::string bytes;
  for (std::size_t at = 0; at < ids.size(); at += kFetchedAtOnce) {
    const std::size_t count = std::min(kFetchedAtOnce, ids.size() - at);
    YARD_ASSIGN(auto contents, server.Fetch(std::span(ids).subspan(at, count)));
    for (const std::string& content : contents) bytes += content;
    if (bytes.size() > data::kMostManifestBytes) return std::unexpected(NotUnderstood());
  }
  YARD_ASSIGN(std::vector<data::Entry> entries, data::ReadManifest(bytes));
  return entries;
}

Outcome<DataName> ParseDataName(const std::string& text) {
  std::string_view said = text;
  if (said.starts_with("data:")) said.remove_prefix(5);
  const std::vector<std::string_view> parts = Split(said, ':');
  auto plain = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    });
  };
  const bool sound = parts.size() <= 2 && std::ranges::all_of(parts, plain);
  if (!sound)
    return std::unexpected(
        Failure({Code::kInvalid, fmt::format("'{}' is not NAME[:TAG]", data::Printable(text)),
                 "letters, digits, '-', '_' and '.', for example images:v2"}));
  return DataName{std::string(parts[0]), parts.size() == 2 ? std::string(parts[1]) : ""};
}

std::string BytesText(std::uint64_t bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  std::uint64_t tenths = bytes * 10;
  while (tenths >= 10'240 && unit + 1 < kUnits.size()) {
    tenths /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes);
  return fmt::format("{}.{} {}", tenths / 10, tenths % 10, kUnits[unit]);
}

}  // namespace yard::cli
