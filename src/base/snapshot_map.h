// An ordered map whose copies are cheap and independent: the way one writer shows many readers
// a consistent picture without a lock.
//
// Representation: a shared vector of shared sorted chunks. Copying the map copies one pointer.
// The first change after a copy clones the vector (one pointer per ~256 entries) and the touched
// chunk; further changes to parts nobody else holds happen in place.
// Invariants: chunks are never empty, hold at most kChunkMax entries, and are sorted by key
// without overlap.
// Thread rule: a map object belongs to one thread; copies of it may be read by any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace yard {

template <class Key, class Value>
class SnapshotMap {
 public:
  using Entry = std::pair<Key, Value>;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // The value under `key`, or nullptr. Valid until this map object changes.
  const Value* Find(const Key& key) const {
    if (!chunks_) return nullptr;
    auto chunk = ChunkFor(*chunks_, key);
    if (chunk == chunks_->end()) return nullptr;
    auto entry = EntryFor(**chunk, key);
    return entry != (*chunk)->end() && entry->first == key ? &entry->second : nullptr;
  }

  // Inserts or replaces.
  void Put(const Key& key, Value value) {
    Chunks& chunks = OwnedChunks();
    if (chunks.empty()) {
      chunks.push_back(std::make_shared<Chunk>(1, Entry(key, std::move(value))));
      ++size_;
      return;
    }
    auto at = ChunkFor(chunks, key);
    if (at == chunks.end()) --at;
    Chunk& chunk = Owned(*at);
    auto entry = EntryFor(chunk, key);
    if (entry != chunk.end() && entry->first == key) {
      entry->second = std::move(value);
      return;
    }
    chunk.emplace(entry, key, std::move(value));
    ++size_;
    if (chunk.size() > kChunkMax) SplitChunk(chunks, at);
  }

  // Returns whether something was there.
  bool Erase(const Key& key) {
    if (Find(key) == nullptr) return false;
    Chunks& chunks = OwnedChunks();
    auto at = ChunkFor(chunks, key);
    Chunk& chunk = Owned(*at);
    chunk.erase(EntryFor(chunk, key));
    if (chunk.empty()) chunks.erase(at);
    --size_;
    return true;
  }

  // Calls `visit(key, value)` in key order until it returns false (a void visitor sees all).
  template <class Visitor>
  void Each(Visitor&& visit) const {
    EachFrom(nullptr, visit);
  }

  // The same, starting at the first key not less than `first`.
  template <class Visitor>
  void EachFrom(const Key& first, Visitor&& visit) const {
    EachFrom(&first, visit);
  }

 private:
  using Chunk = std::vector<Entry>;
  using Chunks = std::vector<std::shared_ptr<Chunk>>;
  static constexpr std::size_t kChunkMax = 256;

  // The chunk whose last key is the first not less than `key`; end() if all keys are less.
  template <class C>
  static auto ChunkFor(C& chunks, const Key& key) {
    return std::lower_bound(chunks.begin(), chunks.end(), key,
                            [](const auto& c, const Key& k) { return c->back().first < k; });
  }
  template <class C>
  static auto EntryFor(C& chunk, const Key& key) {
    return std::lower_bound(chunk.begin(), chunk.end(), key,
                            [](const Entry& e, const Key& k) { return e.first < k; });
  }

  Chunks& OwnedChunks() {
    if (!chunks_) chunks_ = std::make_shared<Chunks>();
    if (chunks_.use_count() > 1) chunks_ = std::make_shared<Chunks>(*chunks_);
    return *chunks_;
  }
  static Chunk& Owned(std::shared_ptr<Chunk>& chunk) {
    if (chunk.use_count() > 1) {
      auto copy = std::make_shared<Chunk>();
      copy->reserve(kChunkMax + 1);
      copy->assign(chunk->begin(), chunk->end());
      chunk = std::move(copy);
    }
    return *chunk;
  }
  // Appending (ids that grow with time) leaves a full chunk behind; other places split evenly.
  static void SplitChunk(Chunks& chunks, typename Chunks::iterator at) {
    Chunk& full = **at;
    bool last = at + 1 == chunks.end();
    auto cut = full.begin() + static_cast<std::ptrdiff_t>(last ? full.size() - 1 : full.size() / 2);
    auto right = std::make_shared<Chunk>(cut, full.end());
    full.erase(cut, full.end());
    chunks.insert(at + 1, std::move(right));
  }

  template <class Visitor>
  void EachFrom(const Key* first, Visitor& visit) const {
    if (!chunks_) return;
    auto chunk = first ? ChunkFor(*chunks_, *first) : chunks_->begin();
    for (; chunk != chunks_->end(); ++chunk) {
      auto entry = first ? EntryFor(**chunk, *first) : (*chunk)->begin();
      for (; entry != (*chunk)->end(); ++entry) {
        if constexpr (std::is_void_v<decltype(visit(entry->first, entry->second))>) {
          visit(entry->first, entry->second);
        } else if (!visit(entry->first, entry->second)) {
          return;
        }
      }
      first = nullptr;
    }
  }

  std::shared_ptr<Chunks> chunks_;
  std::size_t size_ = 0;
};

}  // namespace yard
