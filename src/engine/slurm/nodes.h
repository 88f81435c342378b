// The nodes of a Slurm cluster: how Slurm is asked for them, and its answer as values. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"
#include "base/result.h"

namespace yard::engine::slurm {

struct GpuKind {
  std::string type;  // "a100"; empty: the site names none
  std::int64_t count = 0;
  std::int64_t used = 0;  // by jobs of anybody
};

struct Node {
  std::string name;
  std::string address;
  std::int64_t cpus = 0;
  Mebibytes memory;
  std::vector<GpuKind> gpus;
  std::vector<std::string> partitions;
  std::vector<std::string> features;
  std::vector<std::string> reservations;
  std::vector<std::string> state;  // "IDLE", "DRAIN", …
  std::string reason;              // of an operator, or Slurm's

  std::int64_t gpu_count() const;
  // Whether new work can start there; why not.
  std::string Trouble() const;
};

std::vector<std::string> NodesCommand();         // scontrol show node
std::vector<std::string> ReservationsCommand();  // scontrol show reservation

// Rows without a name are skipped.
std::vector<Node> ParseNodes(std::string_view text);
// Names of the active reservations, by node.
std::map<std::string, std::vector<std::string>> ParseReservations(std::string_view text);

// "gpu:a100:8(S:0-1),gpu:2,shard:16": the GPUs alone.
std::vector<GpuKind> ParseGres(std::string_view text);

}  // namespace yard::engine::slurm
