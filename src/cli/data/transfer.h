// Push and pull: a folder here becomes a version of a data set, and the other way round.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "cli/data/chunk_server.h"
#include "cli/session.h"
#include "client/client.h"
#include "data/folder.h"

namespace yard::cli {

struct PushWish {
  std::string folder;
  DataName name;
  bool read_all = false;  // also files whose size and time are those of the version before
  data::SkipPath skip = nullptr;
};
struct PushDone {
  json::value version;
  std::string tag;
  std::uint64_t read_bytes = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t sent_chunks = 0;
  std::vector<std::string> skipped;  // what is no file, folder or link
  std::vector<std::string> outward;  // links to something that is not in the folder
};
client::Outcome<PushDone> Push(Session& session, ChunkServer& server, const PushWish& wish);

struct PullWish {
  std::string folder;
  DataName name;
  bool remove_extra = false;
};
struct PullDone {
  json::value version;
  std::uint64_t written_bytes = 0;
  std::uint64_t kept_files = 0;
  std::uint64_t removed = 0;
};
client::Outcome<PullDone> Pull(Session& session, ChunkServer& server, const PullWish& wish);

}  // namespace yard::cli
