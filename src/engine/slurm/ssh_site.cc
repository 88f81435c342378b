#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "engine/local/native/session.h"
#include "engine/slurm/site.h"
#include "engine/slurm/ssh_command.h"

namespace yard::engine::slurm {
namespace {

constexpr std::int32_t kSshFailed = 255;  // ssh's own exit code for a failed connection

class SshSite final : public Site {
 public:
  explicit SshSite(SshOptions options) : options_(std::move(options)) {}

  const std::string& name() const override { return options_.host; }
  Micros look_interval() const override { return Seconds(1); }

  Result<Output> Run(const Command& command) override {
    YARD_ASSIGN(Output output,
                RunProgram(Program(SshCommand(options_, command.argv, Terminal::kNone)),
                           command.input, command.limit));
    if (output.code != kSshFailed) return output;
    return Fail(Code::kUnavailable, ExplainSsh(options_, output.err));
  }

  // Variables travel inside the command line: sshd takes only those it was told to.
  Result<std::unique_ptr<Session>> Start(EventLoop& loop, const ExecSpec& command) override {
    std::vector<std::string> argv = {"env"};
    for (const Variable& variable : command.variables)
      argv.push_back(fmt::format("{}={}", variable.name, variable.value));
    argv.insert(argv.end(), command.command.begin(), command.command.end());
    SessionSpec session;
    session.spawn =
        Program(SshCommand(options_, argv, command.tty ? Terminal::kWanted : Terminal::kNone));
    if (command.tty) session.spawn.argv = WithTerminal(std::move(session.spawn.argv));
    session.tty = command.tty;
    session.rows = command.rows;
    session.columns = command.columns;
    YARD_ASSIGN(StartedSession started, StartSession(loop, std::move(session)));
    return std::move(started.session);
  }

  // ssh reads and writes one end; it goes when the other end is closed.
  Result<UniqueFd> Connect(EventLoop& loop, const std::string& address,
                           std::uint16_t port) override {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return Fail(Code::kUnavailable,
                  fmt::format("cannot make a socket: {}", std::strerror(errno)));
    UniqueFd ours(ends[0]);
    const UniqueFd theirs(ends[1]);
    SpawnSpec spec = Program(SshForward(options_, address, port));
    spec.input = spec.output = theirs.get();
    YARD_ASSIGN(Child child, Spawn(spec));
    auto ended = std::make_shared<UniqueFd>(std::move(child.pidfd));
    YARD_TRY(loop.Watch(ended->get(), [&loop, ended] {
      loop.Unwatch(ended->get());
      Reap(ended->get());
    }));
    return ours;
  }

 private:
  static SpawnSpec Program(std::vector<std::string> argv) {
    SpawnSpec spec;
    spec.argv = std::move(argv);
    spec.envp = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
    return spec;
  }

  const SshOptions options_;
};

}  // namespace

std::unique_ptr<Site> MakeSshSite(SshOptions options) {
  return std::make_unique<SshSite>(std::move(options));
}

}  // namespace yard::engine::slurm
