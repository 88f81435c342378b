#include "serve/artifact_upload.h"

#include <utility>

namespace yard::serve {
namespace {

class ArtifactUpload final : public Upload {
 public:
  ArtifactUpload(control::Artifacts& artifacts, control::ArtifactPlace place,
                 std::optional<std::uint64_t> announced,
                 std::function<http::Reply(std::uint64_t bytes)> done)
      : artifacts_(artifacts),
        place_(std::move(place)),
        announced_(announced),
        done_(std::move(done)) {}

  Status Write(std::string_view piece) override {
    YARD_TRY(Begin());
    return writer_->Write(piece);
  }

  Result<http::Reply> Finish() override {
    YARD_TRY(Begin());
    YARD_TRY(writer_->Commit());
    return done_(writer_->bytes());
  }

 private:
  // With the first piece, on a thread that may wait for the disk.
  Status Begin() {
    if (writer_) return {};
    YARD_ASSIGN(writer_, artifacts_.Begin(place_, announced_));
    return {};
  }

  control::Artifacts& artifacts_;
  const control::ArtifactPlace place_;
  const std::optional<std::uint64_t> announced_;
  const std::function<http::Reply(std::uint64_t bytes)> done_;
  std::unique_ptr<control::ArtifactWriter> writer_;
};

}  // namespace

std::unique_ptr<Upload> UploadArtifact(control::Artifacts& artifacts, control::ArtifactPlace place,
                                       std::optional<std::uint64_t> announced,
                                       std::function<http::Reply(std::uint64_t bytes)> done) {
  return std::make_unique<ArtifactUpload>(artifacts, std::move(place), announced, std::move(done));
}

}  // namespace yard::serve
