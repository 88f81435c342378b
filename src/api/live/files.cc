// Files of work, as tar streams: of what runs, and of what has ended as far as it is left.
#include <poll.h>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/live/views.h"
#include "base/strings.h"
#include "serve/live/bridge.h"
#include "serve/live/descriptor.h"
#include "serve/server.h"

namespace yard::api {
namespace {

using control::Live;
using control::TaskChoice;

constexpr std::size_t kPiece = 256 * 1024;
constexpr std::size_t kLongestComplaint = 1000;
constexpr int kPatienceMillis = 20'000;

// Waits for something to read. False: nothing came.
bool AwaitReadable(int fd) {
  pollfd wait{.fd = fd, .events = POLLIN, .revents = 0};
  return ::poll(&wait, 1, kPatienceMillis) > 0;
}

// What the transfer complained about, in its own words.
Error FailureOf(engine::Session& session, const std::string& path) {
  std::string complaint;
  if (session.error() >= 0) serve::ReadSome(session.error(), kLongestComplaint, complaint);
  // It has nothing more to say; whoever goes on all the same is hung up.
  Result<std::int32_t> code = 0;
  if (AwaitReadable(session.ended())) code = session.Wait();
  std::string_view words = Trim(complaint);
  if (words.empty() && !code) words = code.error().message;
  return {
      Code::kNotFound,
      fmt::format("'{}' cannot be read: {}", path, words.empty() ? "the transfer failed" : words),
      "check the path inside the task"};
}

// An archive that begins with its end: tar found nothing to put in.
bool IsEmptyArchive(std::string_view bytes) {
  constexpr std::size_t kBlock = 512;
  return bytes.size() >= kBlock && bytes.substr(0, kBlock).find_first_not_of('\0') == bytes.npos;
}

// The first piece, so that a missing file is told by a status and not by a broken download.
Result<std::string> FirstPiece(engine::Session& session, const std::string& path) {
  std::string bytes;
  if (!AwaitReadable(session.output())) {
    return Fail(Code::kUnavailable, fmt::format("reading '{}' takes too long to begin", path));
  }
  if (serve::ReadSome(session.output(), kPiece, bytes) != serve::Flow::kSome ||
      IsEmptyArchive(bytes)) {
    return Fail(FailureOf(session, path));
  }
  return bytes;
}

// Passes on what a session writes, as fast as the reader takes it.
class Download final : public std::enable_shared_from_this<Download> {
 public:
  Download(serve::LiveThreads& threads, serve::SessionPtr session,
           std::shared_ptr<http::Stream> stream)
      : threads_(threads), session_(std::move(session)), stream_(std::move(stream)) {}

  void Start() {
    stream_->OnGone([weak = weak_from_this(), &poller = threads_.poller] {
      poller.Post([weak] {
        if (auto self = weak.lock()) self->End();
      });
    });
    GoOnWhenDrained();
  }

 private:
  void OnPoller(std::move_only_function<void(Download&)> action) {
    threads_.poller.Post(
        [self = shared_from_this(), action = std::move(action)]() mutable { action(*self); });
  }

  void Pump() {
    if (!session_) return;
    std::string bytes;
    serve::Flow flow = serve::ReadSome(session_->output(), kPiece, bytes);
    if (flow == serve::Flow::kEnded) return Finish();
    if (flow == serve::Flow::kNotNow) {
      return threads_.poller.OnReadable(session_->output(),
                                        [self = shared_from_this()] { self->Pump(); });
    }
    if (!stream_->Write(std::move(bytes))) return End();
    GoOnWhenDrained();
  }

  void GoOnWhenDrained() {
    stream_->OnDrained(
        [self = shared_from_this()] { self->OnPoller([](Download& it) { it.Pump(); }); });
  }

  // A transfer that failed must not look whole.
  void Finish() {
    serve::AwaitExit(threads_, session_,
                     [self = shared_from_this()](const Result<std::int32_t>& code) {
                       bool whole = code && *code == 0;
                       if (!whole && self->stream_) self->stream_->Abort();
                       self->End();
                     });
  }

  void End() {
    if (session_) {
      threads_.poller.Forget(session_->output());
      threads_.poller.Forget(session_->ended());
    }
    session_.reset();
    stream_.reset();
  }

  serve::LiveThreads& threads_;
  serve::SessionPtr session_;
  std::shared_ptr<http::Stream> stream_;
};

http::Reply TarReply(serve::LiveThreads& threads, serve::SessionPtr session, std::string first,
                     std::move_only_function<void(const std::shared_ptr<http::Stream>&)> opened) {
  http::Reply reply;
  reply.content_type = "application/x-tar";
  reply.headers.emplace_back("Content-Disposition", "attachment; filename=\"files.tar\"");
  reply.headers.emplace_back("X-Content-Type-Options", "nosniff");
  reply.body = std::move(first);
  reply.stream = [&threads, session = std::move(session),
                  opened = std::move(opened)](std::shared_ptr<http::Stream> stream) mutable {
    opened(stream);
    std::make_shared<Download>(threads, session, std::move(stream))->Start();
  };
  return reply;
}

Result<Answer> ReadFiles(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, EnteredWorkload(call));
  YARD_ASSIGN(TaskChoice task, TaskOf(call, *workload));
  std::string path(call.Query("path").value_or(""));
  if (path.empty()) return Fail(Code::kInvalid, "no path is given", "send ?path= of a file");
  YARD_ASSIGN(Live * live, LiveOf(call));
  auto guard = [&rights = call.server().live_rights(), check = CheckAgain(call, EnteredWorkload)](
                   const std::shared_ptr<http::Stream>& stream) {
    EndWithRight(rights, check, stream);
  };
  return OnLive([live, task, path, guard, &threads = ThreadsOf(call)]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::unique_ptr<engine::Session> opened, live->ReadFiles(task, path));
    serve::SessionPtr session = serve::Hold(threads, std::move(opened));
    YARD_ASSIGN(std::string first, FirstPiece(*session, path));
    return TarReply(threads, std::move(session), std::move(first), guard);
  });
}

}  // namespace

void AddLiveFileRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet,
                    "/api/v1/workloads/{workloadId}/files",
                    MayByKind(Action::kUpdate),
                    ReadFiles,
                    "Files of a task as a tar stream",
                    "",
                    "",
                    200,
                    {{"path", "string", true}, {"attempt", "int(1..)"}, {"rank", "int(0..)"}}});
}

}  // namespace yard::api
