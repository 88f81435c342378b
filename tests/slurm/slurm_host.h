// A folder of its own on the cluster that tests/slurm/lab has started, for the suite of all
// engines.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/slurm/slurm_engine.h"
#include "engine/testing/conformance.h"

namespace yard::engine::testing {

class SlurmHost : public Host {
 public:
  SlurmHost();
  ~SlurmHost() override;

  std::unique_ptr<Engine> Open() override;
  TaskSpec Shell(const std::string& script) const override;
  std::vector<std::string> Leftovers() const override;

  slurm::SlurmOptions& options() { return options_; }
  const std::string& root() const { return options_.root; }

 protected:
  virtual std::unique_ptr<slurm::Site> MakeSite() const;

 private:
  slurm::SlurmOptions options_;
};

// What Slurm's programs need here: PATH, SLURM_CONF of the lab, TZ.
slurm::Variables LabVariables();
// The way to the lab's login node; its shared connection has its socket in `folder`.
slurm::SshOptions LoginOptions(const std::string& folder);
// Runs a program on this host and answers with its output; fails the test if it fails.
std::string RunHere(const std::vector<std::string>& argv);
// The lab's own command: "down", "slurmctld".
void Lab(const std::string& verb, const std::string& daemon);

}  // namespace yard::engine::testing
