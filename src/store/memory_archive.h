// The archive's questions answered row by row, for the store without a disk. Pure.
#pragma once

#include "model/archive.h"
#include "store/archive.h"

namespace yard::store {

// What the field of a row holds, as a page is sorted by it.
ArchiveValue ValueOf(const Workload& workload, ArchiveField field);

bool Matches(const ArchiveFilter& filter, const ArchiveItem& item);

}  // namespace yard::store
