#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "engine/local/native/session.h"
#include "engine/slurm/site.h"

namespace yard::engine::slurm {
namespace {

constexpr const char* kEnv = "/usr/bin/env";  // looks the program up in PATH

struct FreeAddresses {
  void operator()(addrinfo* found) const { ::freeaddrinfo(found); }
};

Result<UniqueFd> ConnectTo(const std::string& address, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* raw = nullptr;
  if (::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &raw) != 0)
    return Fail(Code::kUnavailable, fmt::format("the node's address {} is not known", address));
  const std::unique_ptr<addrinfo, FreeAddresses> found(raw);
  int error = 0;
  for (const addrinfo* at = raw; at != nullptr; at = at->ai_next) {
    UniqueFd fd(::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol));
    if (fd && ::connect(fd.get(), at->ai_addr, at->ai_addrlen) == 0) return fd;
    error = errno;
  }
  return Fail(Code::kUnavailable, fmt::format("nobody listens on port {} of {}: {}", port, address,
                                              std::strerror(error)));
}

class LocalSite final : public Site {
 public:
  explicit LocalSite(Variables variables) : variables_(std::move(variables)) {}

  const std::string& name() const override { return name_; }
  Micros look_interval() const override { return Micros(100'000); }

  Result<Output> Run(const Command& command) override {
    return RunProgram(Program(command.argv), command.input, command.limit);
  }

  Result<std::unique_ptr<Session>> Start(EventLoop& loop, const ExecSpec& command) override {
    SessionSpec session;
    session.spawn = Program(command.command);
    for (const Variable& variable : command.variables)
      session.spawn.envp.push_back(fmt::format("{}={}", variable.name, variable.value));
    if (command.tty) session.spawn.argv = WithTerminal(std::move(session.spawn.argv));
    session.tty = command.tty;
    session.rows = command.rows;
    session.columns = command.columns;
    YARD_ASSIGN(StartedSession started, StartSession(loop, std::move(session)));
    return std::move(started.session);
  }

  Result<UniqueFd> Connect(EventLoop&, const std::string& address, std::uint16_t port) override {
    return ConnectTo(address, port);
  }

 private:
  SpawnSpec Program(const std::vector<std::string>& argv) const {
    SpawnSpec spec;
    spec.argv = {kEnv, "--"};
    spec.argv.insert(spec.argv.end(), argv.begin(), argv.end());
    for (const auto& [name, value] : variables_) spec.envp.push_back(name + "=" + value);
    return spec;
  }

  const std::string name_ = "this host";
  const Variables variables_;
};

}  // namespace

std::unique_ptr<Site> MakeLocalSite(Variables variables) {
  return std::make_unique<LocalSite>(std::move(variables));
}

}  // namespace yard::engine::slurm
