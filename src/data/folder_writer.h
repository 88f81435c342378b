// Writes the entries of a version into a folder.
//
// Nothing is written outside of that folder: every step goes through an open folder and follows no
// link, whatever is there already. A file appears under its name when it is whole. Entries come
// in the order of a manifest; Finish sets the folders' modes and times. One thread.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "data/manifest.h"

namespace yard::data {

using ReadChunk = std::function<Result<std::string>(const ChunkId& id)>;

class FolderWriter {
 public:
  // kRecorded: as they were pushed. kShared: readable by all, writable by nobody.
  enum class Modes { kRecorded, kShared };

  // Makes the folder if it is not there.
  static Result<FolderWriter> Open(const std::string& path, Modes modes);

  // Whether a file is there with the entry's size, time and mode, so that Add is not needed.
  bool Has(const Entry& entry) const;
  Status Add(const Entry& entry, const ReadChunk& read);
  // The file of the same path in the open folder `other` becomes the one here too, if it has the
  // entry's size, time and mode and the file system allows another name for it. Of kShared only:
  // nobody writes to it.
  bool Share(int other, const Entry& entry);
  Status Finish();

 private:
  FolderWriter(UniqueFd root, Modes modes) : root_(std::move(root)), modes_(modes) {}

  // The folder around an entry, and its name in there.
  struct Place {
    int folder = -1;
    std::string name;
  };
  bool IsEntry(int file, const Entry& entry) const;
  Result<Place> PlaceOf(const std::string& path);
  std::uint32_t ModeOf(const Entry& entry) const;
  Status AddFolder(const Entry& entry);
  Status AddLink(const Entry& entry);
  Status AddFile(const Entry& entry, const ReadChunk& read);

  UniqueFd root_;
  Modes modes_;
  std::string parent_path_;  // of the folder that is open
  UniqueFd parent_;
  std::vector<Entry> folders_;
};

// Removes a folder with all it holds, also folders that are closed to their owner. Nothing there is
// no error. No link is followed.
Status RemoveFolder(const std::string& path);

// What in the folder is in no entry of the sorted list: to be removed, deepest first.
Result<std::vector<std::string>> ExtraPaths(const std::string& path,
                                            const std::vector<Entry>& entries);
Status RemovePaths(const std::string& path, const std::vector<std::string>& extra);

}  // namespace yard::data
