// Files that come in parts, in any order and over several connections: each part is a file of its
// own until the client says that all of them are there.
//
// An upload outlives the server, and parts that have arrived need not be sent again. One that
// nobody goes on with for a week is forgotten when another begins; where a project has as many as
// it may, one that has rested for hours. Thread rule: any thread. PlaceOf does no input and output;
// everything else does.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "control/auth/access.h"
#include "control/track/artifacts.h"

namespace yard::control {

class PartUploads {
 public:
  static constexpr std::int64_t kMostParts = 10'000;
  static constexpr std::size_t kMostOfAProject = 64;
  static constexpr std::size_t kMostOfOne = 48;  // of one person in a project

  // All of them must outlive it.
  PartUploads(Artifacts& artifacts, const Clock& clock, Random& random)
      : artifacts_(artifacts), clock_(clock), random_(random) {}

  // Finds what an earlier server left. Before any other call.
  void Load();

  struct Begun {
    std::string id;
    std::string secret;                 // whoever has it may send parts
    std::vector<std::int64_t> arrived;  // parts that need not be sent again
  };
  struct Wish {
    ArtifactPlace place;
    std::int64_t parts = 0;
    // Which content it is, in the client's words: an upload of the same mark that broke off is gone
    // on with. Empty: always a new one.
    std::string mark = {};
    Principal by = {};
  };
  Result<Begun> Begin(Wish wish);
  // Where a part goes. kNotFound for a wrong secret as well.
  Result<ArtifactPlace> PlaceOf(std::string_view id, std::string_view secret, std::int64_t part);
  // Who has begun it, as they were then: parts that come with the secret alone are theirs.
  std::optional<Principal> BegunBy(std::string_view id) const;
  // The same for somebody who may write to the path itself.
  Result<ArtifactPlace> PlaceIn(std::string_view id, std::string_view path, std::int64_t part);
  // Makes one file of the parts and puts it in place. Said twice, it is done once. kTooMany as long
  // as it is under way for another caller.
  Status Complete(const std::string& id, const std::string& path);
  Status Abort(const std::string& id, const std::string& path);
  // The folders of what is on its way into a project, among the artifacts.
  std::vector<std::string> FoldersOf(ProjectId project) const;

 private:
  struct Upload {
    Wish wish;
    std::string secret;
    Time touched;
    bool completing = false;
  };
  using Uploads = std::map<std::string, Upload, std::less<>>;

  std::string FolderOf(std::string_view id) const;
  std::optional<Begun> FindBegun(const Wish& wish) const;
  Result<Begun> Open(Upload upload);
  Status CheckCount(const Wish& wish) const;
  // `upload` is guarded.
  Result<ArtifactPlace> PlaceOf(std::string_view id, Upload& upload, std::int64_t part);
  Status PutTogether(const std::string& id, const Upload& upload);
  // Takes a part's bytes into the whole.
  Status AddPart(const std::string& id, std::int64_t part, ArtifactWriter& whole) const;
  Result<std::uint64_t> BytesOfAll(const std::string& id, const Upload& upload) const;
  void Remove(const std::string& id, ProjectId project);
  void ForgetOld();
  // One of the project's that nobody has gone on with for hours.
  void ForgetIdle(ProjectId project);

  Artifacts& artifacts_;
  const Clock& clock_;
  Random& random_;

  mutable std::mutex mutex_;
  Uploads open_;                             // guarded by mutex_
  std::map<std::string, std::string> done_;  // paths by id, of late; guarded by mutex_
};

}  // namespace yard::control
