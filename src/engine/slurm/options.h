// How a Slurm engine is set up. Plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "base/time.h"

namespace yard::engine::slurm {

// Whether work without an account of its own may run as root, where Slurm's programs are run by it.
enum class RootJobs { kRefused, kAllowed };

// What every job is submitted with; empty or absent: as the site has it.
struct SubmitOptions {
  std::string partition = {};
  std::string account = {};
  std::string qos = {};
  std::string reservation = {};
  std::string constraint = {};
  std::optional<Micros> time_limit = {};
  std::vector<std::string> more = {};  // further arguments of sbatch, one word each
};

struct SlurmOptions {
  std::string root;  // folder on the file system that all nodes share; at most 80 bytes long
  std::string shim;  // path here of the program gpuyard-shim, which is copied there
  // Folder here with those of data sets, as PROJECT/VERSION; empty: there are none.
  std::string data_sets = {};
  const Clock* clock = &SystemClock();
  SubmitOptions submit = {};
  // Memory of a GPU by its type in Slurm ("a100"), which Slurm does not tell.
  std::map<std::string, Mebibytes> gpu_memory = {};
  std::string path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  RootJobs root_jobs = RootJobs::kRefused;
};

}  // namespace yard::engine::slurm
