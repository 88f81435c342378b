// What a folder of a data set needs on the cluster, beside another one of it that is there.
//
// Folders of one project share the files that they have in common, as links to one file (see
// control/data/datasets.h): so the same file is the same content. No symbolic link is followed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace yard::engine::slurm {

struct DataItem {
  enum class Kind { kFolder, kFile, kLink };
  Kind kind = Kind::kFile;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;   // of a file
  std::string target = {};  // of a link
  std::uint32_t mode = 0;
  std::int64_t mtime = 0;  // seconds

  bool IsSameAs(const DataItem& other) const;
};
// By path below the folder; a folder comes before what it holds.
using DataItems = std::map<std::string, DataItem>;

Result<DataItems> ListDataFolder(const std::string& path);

struct DataDelta {
  std::vector<std::string> removed;  // of the base: gone, or there as something else
  std::vector<std::string> folders;  // new ones
  std::vector<std::string> sent;     // files and links that are new or changed
  std::size_t shared = 0;            // files and links that both have
};
// Pure.
DataDelta Compare(const DataItems& base, const DataItems& wanted);

}  // namespace yard::engine::slurm
