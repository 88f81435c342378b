#include "serve/download.h"

#include <fcntl.h>
#include <sys/uio.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "serve/call.h"

namespace yard::serve {
namespace {

constexpr std::size_t kPiece = 256 * 1024;

struct ByteRange {
  std::uint64_t from = 0;
  std::uint64_t bytes = 0;
};

// The rest of a file on its way out. The next piece is read when the last one has left.
class Sender : public std::enable_shared_from_this<Sender> {
 public:
  Sender(Worker& files, UniqueFd file, ByteRange range)
      : files_(files), file_(std::move(file)), range_(range) {}

  // On an I/O thread, which must not wait for the disk.
  void Send(std::shared_ptr<http::Stream> stream) {
    if (range_.bytes == 0) return;
    iovec room = Room();
    ssize_t read = ::preadv2(file_.get(), &room, 1, static_cast<off_t>(range_.from), RWF_NOWAIT);
    if (read > 0) return Pass(read, std::move(stream));
    auto task = [self = shared_from_this(), stream] { self->ReadAndSend(stream); };
    if (!files_.Post(std::move(task))) stream->Abort();
  }

 private:
  iovec Room() {
    piece_.resize(std::min<std::uint64_t>(kPiece, range_.bytes));
    return {.iov_base = piece_.data(), .iov_len = piece_.size()};
  }

  void ReadAndSend(const std::shared_ptr<http::Stream>& stream) {
    iovec room = Room();
    ssize_t read = ::preadv(file_.get(), &room, 1, static_cast<off_t>(range_.from));
    if (read <= 0) return stream->Abort();
    Pass(read, stream);
  }

  void Pass(ssize_t read, std::shared_ptr<http::Stream> stream) {
    piece_.resize(static_cast<std::size_t>(read));
    range_.from += piece_.size();
    range_.bytes -= piece_.size();
    // The disk may bring the next one meanwhile.
    (void)::posix_fadvise(file_.get(), static_cast<off_t>(range_.from), static_cast<off_t>(kPiece),
                          POSIX_FADV_WILLNEED);
    if (!stream->Write(std::exchange(piece_, {}))) return;
    stream->OnDrained([self = shared_from_this(), stream] { self->Send(stream); });
  }

  Worker& files_;
  UniqueFd file_;
  ByteRange range_;
  std::string piece_;
};

// "bytes=100-199", "bytes=100-", "bytes=-100". Nothing if it is of another form.
std::optional<ByteRange> Parse(std::string_view header, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!header.starts_with(kUnit) || header.contains(',')) return std::nullopt;
  std::vector<std::string_view> ends = Split(header.substr(kUnit.size()), '-');
  if (ends.size() != 2) return std::nullopt;
  std::optional<std::int64_t> first = ParseInt(ends[0]);
  std::optional<std::int64_t> last = ParseInt(ends[1]);
  if (ends[0].empty() && last) {
    std::uint64_t tail = std::min(size, static_cast<std::uint64_t>(*last));
    return ByteRange{size - tail, tail};
  }
  if (!first || (!last && !ends[1].empty())) return std::nullopt;
  auto from = static_cast<std::uint64_t>(*first);
  std::uint64_t end = last ? std::min(size, static_cast<std::uint64_t>(*last) + 1) : size;
  return ByteRange{from, end > from ? end - from : 0};
}

}  // namespace

Result<http::Reply> Download(Worker& files, control::OpenArtifact artifact,
                             std::string_view range) {
  const std::uint64_t size = artifact.bytes;
  std::optional<ByteRange> part = Parse(range, size);
  http::Reply reply;
  reply.content_type = "application/octet-stream";
  reply.headers.emplace_back("Accept-Ranges", "bytes");
  reply.headers.emplace_back("X-Content-Type-Options", "nosniff");
  reply.headers.emplace_back("Content-Disposition", "attachment");
  if (part && part->bytes == 0) {
    reply.status = 416;
    reply.headers.emplace_back("Content-Range", fmt::format("bytes */{}", size));
    return reply;
  }
  if (part) {
    reply.status = 206;
    reply.headers.emplace_back("Content-Range", fmt::format("bytes {}-{}/{}", part->from,
                                                            part->from + part->bytes - 1, size));
  }
  auto sender =
      std::make_shared<Sender>(files, std::move(artifact.file), part.value_or(ByteRange{0, size}));
  reply.stream = [sender](std::shared_ptr<http::Stream> stream) {
    sender->Send(std::move(stream));
  };
  return reply;
}

}  // namespace yard::serve
