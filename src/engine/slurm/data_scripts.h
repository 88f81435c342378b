// The lines of shell that keep folders of data sets on a cluster: `data/PROJECT/VERSION` in the
// cluster's folder. Each is one round trip; names come in as arguments or as input. Pure.
//
// A folder is made under the name VERSION.part, from the files of another version as hard links and
// what is sent. It is whole once it has its own name, and closed to writing.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/slurm/plan.h"
#include "engine/slurm/site.h"

namespace yard::engine::slurm {

// "PROJECT/VERSION" below the folder of data sets.
struct DataPlace {
  std::string root;  // the cluster's folder
  std::string project;
  std::string version;
};

// Prints the names that the project has there, the newest first; the version's time becomes now.
Command DataLookScript(const DataPlace& place);
// Begins with the files of `base` (empty: with none) but those that are `removed`.
Command DataBeginScript(const DataPlace& place, const std::string& base,
                        std::span<const std::string> removed);
Command DataFoldersScript(const DataPlace& place, std::span<const std::string> folders);
// `archive` is a tar stream.
Command DataTakeScript(const DataPlace& place, std::string archive);
// A piece of a file that is too large for one stream.
struct DataPiece {
  std::string path;
  std::uint64_t offset = 0;
  std::string bytes;
};
Command DataPieceScript(const DataPlace& place, DataPiece piece);
struct DataMarks {
  std::string path;
  std::uint32_t mode = 0;
  std::int64_t mtime = 0;
};
Command DataMarkScript(const DataPlace& place, const DataMarks& marks);
// Gives the folder its name, and removes those of the project that no task has used in a week.
Command DataFinishScript(const DataPlace& place);
Command DataGiveUpScript(const DataPlace& place);

// Words that end with NUL bytes, each a path that is no option.
std::string PathList(std::span<const std::string> paths);

}  // namespace yard::engine::slurm
