// The server's side of a data set, as pushes and pulls see it: chunks of one project, by several
// connections at once. Thread-safe.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/session.h"
#include "client/client.h"
#include "data/chunk.h"
#include "data/frame.h"
#include "data/manifest.h"

namespace yard::cli {

class ChunkServer {
 public:
  // `push` names what is being pushed: the same again when a push goes on that was interrupted.
  static client::Outcome<std::unique_ptr<ChunkServer>> Open(Session& session,
                                                            const std::string& project_id,
                                                            std::string push);

  client::Outcome<std::vector<data::ChunkId>> Missing(std::span<const data::ChunkId> ids);
  client::Outcome<void> Send(std::string frames);
  // The contents in the order of the ids, each verified. Together at most 16 MiB.
  client::Outcome<std::vector<std::string>> Fetch(std::span<const data::ChunkId> ids);

  // One version with its manifest's chunks; nothing if there is none.
  client::Outcome<json::value> Find(const std::string& name, const std::string& which);
  client::Outcome<json::value> Commit(const json::object& draft);
  client::Outcome<json::value> List();
  client::Outcome<json::value> Remove(const std::string& name, const std::string& which);

  const std::string& push() const { return push_; }

 private:
  ChunkServer(client::Options options, std::string path, std::string push)
      : options_(std::move(options)), path_(std::move(path)), push_(std::move(push)) {}

  // A connection that nobody else uses meanwhile.
  class Lease;
  client::Outcome<client::Reply> Ask(const client::Request& request);
  client::Outcome<json::value> AskForJson(const client::Request& request);

  const client::Options options_;
  const std::string path_;
  const std::string push_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<client::Client>> idle_;
};

// The entries of the version that Find gave.
client::Outcome<std::vector<data::Entry>> FetchEntries(ChunkServer& server,
                                                       const json::value& version);

// "NAME[:TAG]"
struct DataName {
  std::string name;
  std::string which;
};
client::Outcome<DataName> ParseDataName(const std::string& text);

// "12.3 MiB"
std::string BytesText(std::uint64_t bytes);

}  // namespace yard::cli
