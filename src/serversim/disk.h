// The disk of a simulated server: a store that outlives it, keeps objects in their stored form, and
// fails when it is told to.
//
// The digest covers every journal row in order, so that two runs can be compared. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "model/ids.h"
#include "store/store.h"

namespace yard::serversim {

class Disk {
 public:
  // The next commit fails, once.
  void FailNext() { fails_ = true; }

  std::int64_t rows() const { return rows_; }
  std::uint64_t digest() const { return digest_; }
  bool Holds(AttemptId attempt) const { return attempts_.contains(attempt); }

  Status Load(const std::function<Status(Object)>& take) const;
  Result<std::int64_t> Commit(std::span<const store::Entry> entries);

 private:
  using Key = std::pair<std::string, std::string>;  // kind and id
  void Digest(std::string_view text);
  void Apply(const Change& change);

  std::map<Key, std::string> objects_;
  std::set<AttemptId> attempts_;  // that were ever durable
  std::int64_t rows_ = 0;
  std::uint64_t digest_ = 14695981039346656037ULL;  // FNV-1a
  bool fails_ = false;
};

// The disk as one life of the server sees it.
std::unique_ptr<store::Store> OpenDisk(Disk& disk);

}  // namespace yard::serversim
