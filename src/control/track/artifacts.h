// Files that runs upload: models, pictures, logs. They lie below one folder as the caller names
// them, `EXPERIMENT/RUN/artifacts/model/weights.pt`.
//
// A file comes in beside the others, in `.incoming`, and appears under its name only when it is
// whole and on disk. A name cannot leave the folder: each part of it is checked, and the server
// alone writes there.
// Thread rule: any thread; every call does input and output.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "control/track/artifact_quota.h"

namespace yard::control {

struct ArtifactEntry {
  std::string name;
  bool is_folder = false;
  std::uint64_t bytes = 0;
};

struct OpenArtifact {
  UniqueFd file;
  std::uint64_t bytes = 0;
};

struct DiskRoom {
  std::uint64_t all = 0;
  std::uint64_t left = 0;
};
// Nothing if it cannot be asked.
std::optional<DiskRoom> RoomOf(const std::string& folder);

struct ArtifactsOptions {
  std::string folder;
  std::optional<std::uint64_t> most_bytes_of_a_file = std::nullopt;
  // What the files of one project may take; nothing: as much as there is.
  std::optional<std::uint64_t> most_bytes_of_a_project = std::nullopt;
  // The folders by which a project's bytes are counted.
  std::function<std::vector<std::string>(ProjectId)> folders_of = {};
  std::function<std::optional<DiskRoom>(const std::string& folder)> room = RoomOf;
};

// Where a file goes, and in whose account.
struct ArtifactPlace {
  ProjectId project;
  std::string path;
};

// Relative, without empty parts, `.`, `..`, backslashes or control characters.
Status CheckArtifactPath(std::string_view path);

class Artifacts;

// A file on its way in. Destroyed before Commit, nothing of it is left. One thread at a time.
class ArtifactWriter {
 public:
  ArtifactWriter(Artifacts& home, ArtifactPlace place, std::string temporary, UniqueFd file);
  ~ArtifactWriter();
  ArtifactWriter(const ArtifactWriter&) = delete;
  ArtifactWriter& operator=(const ArtifactWriter&) = delete;

  // kUnavailable if the disk takes no more, kTooLarge if the project may store no more.
  Status Write(std::string_view bytes);
  // Replaces what is there; what was written last wins. A refusal leaves it as it was.
  Status Commit();
  std::uint64_t bytes() const { return bytes_; }

 private:
  friend class Artifacts;
  void Pace();

  Artifacts& home_;
  const ArtifactPlace place_;
  std::string temporary_;  // empty once it is in place
  UniqueFd file_;
  std::uint64_t bytes_ = 0;
  std::uint64_t reserved_ = 0;  // of the quota
  std::uint64_t flushed_ = 0;   // whose writing back has begun
};

class Artifacts {
 public:
  explicit Artifacts(ArtifactsOptions options);

  // Takes away what an earlier server left unfinished. Before the first Begin.
  void ForgetBroken();

  // `announced`: how many bytes are to come, if that is known. kTooLarge if there is no room for
  // so many.
  Result<std::unique_ptr<ArtifactWriter>> Begin(ArtifactPlace place,
                                                std::optional<std::uint64_t> announced);
  // All of a small file at once.
  Status Put(ArtifactPlace place, std::string_view bytes);
  Result<OpenArtifact> Open(std::string_view path) const;
  // By name; of a file, the file alone; of nothing, nothing.
  Result<std::vector<ArtifactEntry>> List(std::string_view path) const;
  // A file or a folder with all it holds; nothing there is no error.
  Status Remove(const ArtifactPlace& place);

  // For files that come in parts: a folder beside the others, on the same disk.
  std::string parts_folder() const;
  // The path of one of its folders as an artifact's.
  std::string Within(const std::string& folder) const { return folder.substr(folder_.size() + 1); }
  // What a project's files take is to be counted again.
  void Recount(ProjectId project) { quota_.Recount(project); }

 private:
  friend class ArtifactWriter;

  std::string incoming() const;
  std::string PlaceOf(std::string_view path) const;
  Status MakeFolderFor(std::string_view path) const;
  // Whether the disk takes so many bytes more.
  Status RequireRoom(std::uint64_t bytes) const;
  // Whether one file may have so many.
  Status CheckSize(std::uint64_t bytes) const;

  const std::string folder_;
  const std::optional<std::uint64_t> most_of_a_file_;
  const std::function<std::optional<DiskRoom>(const std::string& folder)> room_;
  ArtifactQuota quota_;
};

}  // namespace yard::control
