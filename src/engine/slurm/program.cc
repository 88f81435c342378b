#include "engine/slurm/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/steady_clock.h"
#include "base/strings.h"

namespace yard::engine::slurm {
namespace {

constexpr std::size_t kOutputMost = 256U << 20;

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Result<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) == 0) return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  return Fail(Code::kUnavailable, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
}

void NoBlock(const UniqueFd& fd) {
  ::fcntl(fd.get(), F_SETFL, O_NONBLOCK);
}

// The input is a socket: a program that ends without reading it raises no signal here.
Result<Pipe> MakeInput() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0)
    return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  return Fail(Code::kUnavailable, fmt::format("cannot make a socket: {}", std::strerror(errno)));
}

// The streams of one running program, and its end.
class Conversation {
 public:
  Conversation(const Child& child, Pipe in, Pipe out, Pipe err, std::string_view text)
      : child_(child),
        input_(std::move(in.write)),
        output_(std::move(out.read)),
        error_(std::move(err.read)),
        text_(text) {
    for (const UniqueFd* fd : {&input_, &output_, &error_}) NoBlock(*fd);
    if (text_.empty()) input_.Reset();
  }

  bool ended() const { return ended_; }
  bool too_much() const { return result_.out.size() + result_.err.size() > kOutputMost; }
  Output Take() { return std::move(result_); }

  void Serve(Micros wait) {
    const auto milliseconds = std::clamp<std::int64_t>(wait.value / 1000, 0, 60'000);
    pollfd polls[4] = {{input_.get(), POLLOUT, 0},
                       {output_.get(), POLLIN, 0},
                       {error_.get(), POLLIN, 0},
                       {child_.pidfd.get(), POLLIN, 0}};
    if (::poll(polls, 4, static_cast<int>(milliseconds)) <= 0) return;
    if (polls[0].revents != 0) Feed();
    if (polls[1].revents != 0) Read(output_, result_.out);
    if (polls[2].revents != 0) Read(error_, result_.err);
    ended_ = polls[3].revents != 0;
  }

  // What is there; others whom the program left behind may hold the streams open for longer.
  void Drain() {
    while (Read(output_, result_.out) || Read(error_, result_.err)) {
    }
  }

 private:
  void Feed() {
    const ssize_t put = ::send(input_.get(), text_.data(), text_.size(), MSG_NOSIGNAL);
    if (put > 0) text_.remove_prefix(static_cast<std::size_t>(put));
    if (text_.empty() || (put < 0 && errno != EAGAIN && errno != EINTR)) input_.Reset();
  }

  // False if nothing came.
  static bool Read(UniqueFd& fd, std::string& into) {
    char bytes[64 << 10];
    const ssize_t got = fd ? ::read(fd.get(), bytes, sizeof(bytes)) : 0;
    if (got > 0) into.append(bytes, static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) fd.Reset();
    return got > 0;
  }

  const Child& child_;
  UniqueFd input_, output_, error_;
  std::string_view text_;
  bool ended_ = false;
  Output result_;
};

}  // namespace

std::vector<std::string> WithTerminal(std::vector<std::string> argv) {
  std::vector<std::string> words = {"/bin/sh", "-c", R"sh(exec "$@" <"$(tty)")sh", "gpuyard"};
  words.insert(words.end(), std::make_move_iterator(argv.begin()),
               std::make_move_iterator(argv.end()));
  return words;
}

Result<Output> RunProgram(SpawnSpec program, std::string_view input, Micros limit) {
  YARD_ASSIGN(Pipe in, MakeInput());
  YARD_ASSIGN(Pipe out, MakePipe());
  YARD_ASSIGN(Pipe err, MakePipe());
  program.input = in.read.get();
  program.output = out.write.get();
  program.error = err.write.get();
  YARD_ASSIGN(const Child child, Spawn(program));
  for (UniqueFd* theirs : {&in.read, &out.write, &err.write}) theirs->Reset();
  Conversation talk(child, std::move(in), std::move(out), std::move(err), input);
  const Time deadline = SteadyClock().Now() + limit;
  while (!talk.ended() && !talk.too_much() && SteadyClock().Now() < deadline)
    talk.Serve(deadline - SteadyClock().Now());
  if (!talk.ended()) ::kill(-child.pid, SIGKILL);
  YARD_ASSIGN(std::int32_t code, WaitFor(child.pidfd.get()));
  talk.Drain();
  if (!talk.ended())
    return Fail(Code::kUnavailable,
                fmt::format("{} did not end within {} s", Join(program.argv, " ").substr(0, 200),
                            limit.value / 1'000'000),
                "see whether the cluster answers");
  Output output = talk.Take();
  output.code = code;
  return output;
}

}  // namespace yard::engine::slurm
