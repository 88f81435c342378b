#include "control/testing/temporary_data_sets.h"

#include <cstdlib>
#include <utility>

#include "base/check.h"
#include "data/folder_writer.h"
#include "store/datasets/dataset_store.h"

namespace yard::control {

TemporaryDataSets::TemporaryDataSets(const Clock& clock) {
  char name[] = "/tmp/gyd-XXXXXX";
  const char* made = ::mkdtemp(name);
  YARD_CHECK(made != nullptr);
  folder_ = made;
  auto opened = DataSets::Open({.folder = folder_, .clock = clock, .open = store::OpenDataSets});
  YARD_CHECK(opened.has_value());
  sets_ = *std::move(opened);
}

TemporaryDataSets::~TemporaryDataSets() {
  sets_.reset();
  YARD_CHECK(data::RemoveFolder(folder_).has_value());
}

}  // namespace yard::control
