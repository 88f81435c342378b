// Data sets in a folder that goes with them, for tests.
#pragma once

#include <memory>
#include <string>

#include "base/time.h"
#include "control/data/datasets.h"

namespace yard::control {

class TemporaryDataSets {
 public:
  // The clock must outlive it.
  explicit TemporaryDataSets(const Clock& clock);
  ~TemporaryDataSets();
  TemporaryDataSets(const TemporaryDataSets&) = delete;
  TemporaryDataSets& operator=(const TemporaryDataSets&) = delete;

  DataSets* get() { return sets_.get(); }

 private:
  std::string folder_;
  std::unique_ptr<DataSets> sets_;
};

}  // namespace yard::control
