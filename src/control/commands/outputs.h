// What becomes of the output folders of work. Reactor thread.
#pragma once

#include <vector>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/workload.h"

namespace yard::control {

// The outputs of this attempt need nothing more: each was saved, or says why not. Changes nothing
// if that is known already or the workload is gone.
struct OutputsDone {
  WorkloadId workload;
  std::int32_t attempt = 0;  // its number
  std::vector<SavedOutput> saved;
};
Status RecordOutputs(Txn& txn, const OutputsDone& done);

}  // namespace yard::control
