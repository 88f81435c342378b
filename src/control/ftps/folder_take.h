// Makes a version of a data set from an open folder of this machine, which others may be writing
// to.
//
// No link is followed, and nothing outside of the folder is read. A file that changes while it is
// read is read again, then named. Whole or not at all. Any thread; takes as long as the folder has
// bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "control/data/datasets.h"

namespace yard::control {

struct FolderTake {
  ProjectId project;
  std::string name;
  std::string tag;
  std::string created_by;
  std::string origin;
  // Asked before each file, with the bytes that are read so far; a failure ends it.
  std::function<Status(std::uint64_t bytes)> go_on;
};

struct TakenVersion {
  store::DataVersion version;
  std::vector<std::string> skipped;  // what is no file, folder or link
};
Result<TakenVersion> TakeFolder(DataSets& sets, int folder, const FolderTake& take);

}  // namespace yard::control
