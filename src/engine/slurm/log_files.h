// The log of a task on a cluster, read by commands on its site.
//
// One object serves one read: the list of pieces is taken once. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/local/logs/log_reader.h"
#include "engine/slurm/cluster.h"

namespace yard::engine::slurm {

class SiteLogFiles final : public LogFiles {
 public:
  // The cluster outlives it.
  SiteLogFiles(Cluster& cluster, const TaskKey& key);

  std::vector<std::int64_t> Pieces() const override;
  std::int64_t PieceLength(std::int64_t index) const override;
  std::string Read(const std::string& name, std::int64_t offset, std::size_t limit) const override;

  // The first thing that went wrong; what was read before and after is not to be trusted then.
  const Status& status() const { return status_; }

 private:
  const std::map<std::int64_t, std::int64_t>& Lengths() const;

  Cluster& cluster_;
  const TaskKey key_;
  mutable std::optional<std::map<std::int64_t, std::int64_t>> lengths_;
  mutable Status status_;
};

}  // namespace yard::engine::slurm
