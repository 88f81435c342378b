#include "serve/upload.h"

#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "serve/page_session.h"
#include "serve/server.h"

namespace yard::serve {
namespace {

// A file up to this size is as good in memory.
constexpr std::uint64_t kSmallFile = 256 * 1024;

Error TooManyFiles() {
  return {Code::kUnavailable, "too many files are on their way", "send the file again in a moment"};
}

}  // namespace

std::optional<std::uint64_t> AnnouncedBytes(const http::Request& head) {
  auto text = head.Find("content-length");
  auto bytes = text ? ParseInt(*text) : std::nullopt;
  if (!bytes || *bytes < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*bytes);
}

// Closing and removing a large file takes a while.
UploadSink::~UploadSink() {
  if (!parts_.upload) return;
  (void)parts_.files.Post([broken_off = std::move(parts_.upload)] {});
}

void UploadSink::Take(std::string piece, http::Respond respond) {
  auto answer = std::make_shared<http::Respond>(std::move(respond));
  auto task = [self = shared_from_this(), piece = std::move(piece), answer] {
    Status written = self->parts_.upload->Write(piece);
    http::Reply reply;
    reply.status = kGoOn;
    if (!written) reply = self->parts_.server.RefuseUpload(self->parts_.path, written.error());
    (*answer)(std::move(reply));
  };
  if (parts_.files.Post(std::move(task), parts_.party)) return;
  (*answer)(parts_.server.RefuseUpload(parts_.path, TooManyFiles()));
}

void UploadSink::Finish(http::Request request, http::Respond respond) {
  parts_.server.FinishUpload(std::move(request), std::move(parts_.upload), std::move(respond));
}

const UploadRoute* Server::UploadAt(const Route& route, const http::Request& head) const {
  std::optional<std::uint64_t> announced = AnnouncedBytes(head);
  // Of those who are not signed in next to nothing is kept in memory.
  const bool open = route.need.kind == Need::Kind::kPublic;
  if (!open && announced && *announced <= kSmallFile) return nullptr;
  for (const UploadRoute& upload : context_.uploads) {
    if (upload.handler == route.handler) return &upload;
  }
  return nullptr;
}

Result<std::unique_ptr<Upload>> Server::OpenUpload(Call& call, const UploadRoute& route) {
  std::optional<std::uint64_t> announced = AnnouncedBytes(call.request());
  if (announced && *announced > context_.most_upload_bytes) {
    return Fail(Code::kTooLarge,
                fmt::format("the file has {} MiB, and this server takes files up to {} MiB",
                            (*announced >> 20) + 1, context_.most_upload_bytes >> 20),
                "ask an administrator to raise max-artifact-mib");
  }
  YARD_TRY(Admit(call));
  YARD_ASSIGN(std::unique_ptr<Upload> upload, route.open(call, announced));
  if (NeedsCheck(call.route().need) && !call.checked()) {
    return Fail(Code::kInternal, "an upload was opened without its permission check");
  }
  return upload;
}

http::Intake Server::ForUpload(const http::Request& head, Match match, const UploadRoute& route) {
  std::optional<std::string> page = PageKeyOf(head);
  if (page && IsForeign(head)) return {};  // Handle refuses it; no more than a small body comes
  Call call(page ? WithShownToken(head, *page) : head, *match.route, context_.service, *this);
  call.path_ = std::move(match.parameters);
  Result<std::unique_ptr<Upload>> upload = OpenUpload(call, route);
  if (!upload) return {.refusal = RefuseUpload(std::string(head.path()), upload.error())};
  return {
      .body_bytes = context_.most_upload_bytes,
      .sink = std::make_shared<UploadSink>(UploadSink::Parts{.server = *this,
                                                             .files = files_,
                                                             .upload = *std::move(upload),
                                                             .party = call.who().id,
                                                             .path = std::string(head.path())})};
}

http::Reply Server::RefuseUpload(const std::string& path, const Error& error) {
  http::Reply reply = Refuse(path, error);
  metrics_.Count(reply.status, Micros(0));
  return reply;
}

void Server::FinishUpload(http::Request request, std::unique_ptr<Upload> upload,
                          http::Respond respond) {
  std::shared_ptr<Exchange> exchange = Enter(std::move(request), std::move(respond));
  if (!exchange) return;
  const UploadRoute* route = nullptr;
  for (const UploadRoute& one : context_.uploads) {
    if (one.handler == exchange->call.route().handler) route = &one;
  }
  Result<std::unique_ptr<Upload>> again = OpenUpload(exchange->call, *route);
  if (!again) return Refuse(*exchange, again.error());
  auto task = [this, exchange, upload = std::move(upload)]() mutable {
    Result<http::Reply> reply = upload->Finish();
    upload.reset();  // here, where it may wait
    if (!reply) return Refuse(*exchange, reply.error());
    this->Finish(*exchange, *std::move(reply));
  };
  if (files_.Post(std::move(task), exchange->call.who().id)) return;
  Refuse(*exchange, TooManyFiles());
}

}  // namespace yard::serve
