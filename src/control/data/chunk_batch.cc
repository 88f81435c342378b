#include "control/data/chunk_batch.h"

#include <set>

#include "data/frame.h"

namespace yard::control {
namespace {

constexpr std::size_t kBatchBytes = 4 << 20;
constexpr std::size_t kBatchChunks = 1024;

}  // namespace

Result<data::ChunkId> ChunkBatch::Add(std::string_view chunk) {
  const data::ChunkId id = data::IdOf(chunk);
  chunks_.emplace_back(id, chunk);
  bytes_ += chunk.size();
  if (bytes_ >= kBatchBytes || chunks_.size() >= kBatchChunks) YARD_TRY(Flush());
  return id;
}

Status ChunkBatch::Flush() {
  std::vector<data::ChunkId> ids;
  ids.reserve(chunks_.size());
  for (const auto& [id, bytes] : chunks_) ids.push_back(id);
  YARD_ASSIGN(const std::vector<data::ChunkId> missing, sets_.Missing(project_, push_, ids));
  std::set<data::ChunkId> wanted(missing.begin(), missing.end());
  std::string frames;
  for (const auto& [id, bytes] : chunks_) {
    if (wanted.erase(id) > 0) data::AppendPacked(frames, id, bytes);
  }
  if (!frames.empty()) YARD_TRY(sets_.Put(project_, push_, frames));
  chunks_.clear();
  bytes_ = 0;
  return {};
}

}  // namespace yard::control
