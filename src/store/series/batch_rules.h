// Which batches are refused before anything is written. Pure.
#pragma once

#include "base/result.h"
#include "store/series.h"

namespace yard::store {

Status CheckRun(const RunKey& run);
Status CheckBatch(const SeriesBatch& batch);

}  // namespace yard::store
