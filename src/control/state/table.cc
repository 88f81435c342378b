#include "control/state/table.h"

template class yard::SnapshotMap<yard::Uuid, yard::control::Erased>;
template class yard::SnapshotMap<std::int64_t, yard::control::Erased>;
template class yard::SnapshotMap<std::string, yard::control::Erased>;
