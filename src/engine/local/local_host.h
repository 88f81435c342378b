// A local engine in a folder of its own, for tests: makes it, and looks for what is left.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/local/local_engine.h"
#include "engine/testing/conformance.h"

namespace yard::engine::testing {

class LocalHost : public Host {
 public:
  LocalHost();
  ~LocalHost() override;

  std::unique_ptr<Engine> Open() override;
  std::string LimitsMissing() const override;
  TaskSpec Shell(const std::string& script) const override;
  std::vector<std::string> Leftovers() const override;

  LocalOptions& options() { return options_; }
  const LocalOptions& options() const { return options_; }

 private:
  LocalOptions options_;
};

}  // namespace yard::engine::testing
