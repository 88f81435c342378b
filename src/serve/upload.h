// Request bodies that go to disk as they come: files that are too large to be held.
//
// The transport hands a body over in pieces (http/gate.h); a worker writes each of them, and the
// next one is read when that is done. Small bodies come to the route's handler as any other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/gate.h"
#include "serve/route.h"
#include "serve/worker.h"

namespace yard::serve {

class Call;
class Server;

// One file on its way in; destroyed before Finish, it leaves nothing. Its calls come one after the
// other, from threads that may wait for the disk; so does its end.
class Upload {
 public:
  virtual ~Upload() = default;
  virtual Status Write(std::string_view piece) = 0;
  // The file is whole: the answer.
  virtual Result<http::Reply> Finish() = 0;
};

struct UploadRoute {
  RouteHandler handler;  // of the routes that take such bodies
  // Whether this caller may send the file. Asked before the body, and again when it is whole: a
  // right may end meanwhile. `announced`: the bytes to come, if the client says so. On an I/O
  // thread; must not block.
  Result<std::unique_ptr<Upload>> (*open)(Call& call, std::optional<std::uint64_t> announced);
};

// Of its header Content-Length.
std::optional<std::uint64_t> AnnouncedBytes(const http::Request& head);

// Between the transport and an Upload. Thread-safe as http::BodySink is.
class UploadSink final : public http::BodySink, public std::enable_shared_from_this<UploadSink> {
 public:
  struct Parts {
    Server& server;
    Worker& files;
    std::unique_ptr<Upload> upload;
    std::string party;  // on whose behalf; see serve/worker.h
    std::string path;   // of the request, for refusals in the words of its protocol
  };
  explicit UploadSink(Parts parts) : parts_(std::move(parts)) {}
  ~UploadSink() override;

  void Take(std::string piece, http::Respond respond) override;
  void Finish(http::Request request, http::Respond respond) override;

 private:
  Parts parts_;
};

}  // namespace yard::serve
