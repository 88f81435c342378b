#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/fd.h"
#include "cli/cluster/far.h"

namespace yard::cli {
namespace {

constexpr std::size_t kMostSaid = std::size_t{4} << 20;
constexpr int kSignalBase = 128;

struct Ends {
  UniqueFd ours;
  UniqueFd theirs;
};

// Sockets, since a write to one whose reader has gone can be told not to raise a signal.
Result<Ends> MakeEnds() {
  std::array<int, 2> both{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both.data()) != 0)
    return Fail(Code::kUnavailable, fmt::format("cannot make a socket: {}", std::strerror(errno)));
  return Ends{UniqueFd(both[0]), UniqueFd(both[1])};
}

class Talk {
 public:
  Talk(UniqueFd in, UniqueFd out, UniqueFd err, std::string_view input)
      : in_(std::move(in)), out_(std::move(out)), err_(std::move(err)), input_(input) {}

  Status Go(Answer& answer) {
    CloseIfSaid();
    while (out_ || err_) {
      std::array<pollfd, 3> watched{pollfd{in_.get(), POLLOUT, 0}, pollfd{out_.get(), POLLIN, 0},
                                    pollfd{err_.get(), POLLIN, 0}};
      if (::poll(watched.data(), watched.size(), -1) < 0) continue;
      if (watched[0].revents != 0) Write();
      if (watched[1].revents != 0) Read(out_, answer.out);
      if (watched[2].revents != 0) Read(err_, answer.err);
      if (answer.out.size() + answer.err.size() > kMostSaid)
        return Fail(Code::kTooLarge, "the answer is too large");
    }
    return {};
  }

 private:
  void CloseIfSaid() {
    if (input_.empty()) in_.Reset();
  }

  void Write() {
    const ssize_t said =
        ::send(in_.get(), input_.data(), input_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (said < 0 && (errno == EAGAIN || errno == EINTR)) return;
    // Nobody reads any more: what it says about that is read below.
    input_.remove_prefix(said < 0 ? input_.size() : static_cast<std::size_t>(said));
    CloseIfSaid();
  }

  static void Read(UniqueFd& from, std::string& text) {
    std::array<char, 16384> part;
    const ssize_t got = ::read(from.get(), part.data(), part.size());
    if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) from.Reset();
  }

  UniqueFd in_;
  UniqueFd out_;
  UniqueFd err_;
  std::string_view input_;
};

Result<pid_t> Spawn(const std::vector<std::string>& words, const std::array<int, 3>& streams) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int fd = 0; fd < 3; ++fd) posix_spawn_file_actions_adddup2(&actions, streams.at(fd), fd);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return pid;
  return Fail(Code::kNotFound, fmt::format("cannot run {}: {}", words[0], std::strerror(error)),
              fmt::format("install {} on this machine", words[0]));
}

int WaitFor(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? kSignalBase + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Result<Answer> Exchange(const std::vector<std::string>& words, std::string_view input) {
  YARD_ASSIGN(Ends in, MakeEnds());
  YARD_ASSIGN(Ends out, MakeEnds());
  YARD_ASSIGN(Ends err, MakeEnds());
  YARD_ASSIGN(const pid_t pid, Spawn(words, {in.theirs.get(), out.theirs.get(), err.theirs.get()}));
  for (Ends* ends : {&in, &out, &err}) ends->theirs.Reset();
  Answer answer;
  Status talked =
      Talk(std::move(in.ours), std::move(out.ours), std::move(err.ours), input).Go(answer);
  answer.code = WaitFor(pid);
  YARD_TRY(talked);
  return answer;
}

}  // namespace yard::cli
