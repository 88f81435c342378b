#include "tests/support/server_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "http/testing/raw_client.h"

namespace yard::testing {
namespace {

constexpr auto kStartLimit = std::chrono::seconds(60);

bool AnswersReady(std::uint16_t port) {
  if (!http::testing::RawClient::IsServed(port)) return false;
  auto client = http::testing::RawClient::Tcp(port);
  client.Send("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return client.Read().status == 200;
}

}  // namespace

std::uint16_t FreePort() {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
  close(fd);
  return ntohs(address.sin_port);
}

ServerProcess::ServerProcess(const ServerSetup& setup) : port_(FreePort()) {
  std::string listen = "127.0.0.1:" + std::to_string(port_);
  std::vector<std::string> words{setup.program, "server", "--data-dir", setup.data_dir,
                                 "--listen",    listen,   "--tls",      "off"};
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string password = "GPUYARD_ADMIN_PASSWORD=" + setup.password;
  std::string home = "HOME=" + setup.data_dir;
  char* environment[] = {password.data(), home.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, setup.log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                   0600);
  int failed = posix_spawn(&pid_, setup.program.c_str(), &files, nullptr, argv.data(), environment);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) pid_ = -1;
  ready_ = failed == 0 && WaitUntilReady();
  EXPECT_TRUE(ready_) << "the server did not become ready (" << (pid_ < 0 ? "ended" : "runs")
                      << ", wait status " << status_ << "); see " << setup.log_path;
}

bool ServerProcess::WaitUntilReady() {
  auto deadline = std::chrono::steady_clock::now() + kStartLimit;
  while (std::chrono::steady_clock::now() < deadline) {
    if (AnswersReady(port_)) return true;
    if (waitpid(pid_, &status_, WNOHANG) == pid_) {
      pid_ = -1;
      return false;
    }
    // Readiness cannot be waited for from outside, so it is asked for.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

void ServerProcess::Kill() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

int ServerProcess::Stop() {
  if (pid_ < 0) return -1;
  int status = 0;
  kill(pid_, SIGTERM);
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

ServerProcess::~ServerProcess() {
  Kill();
}

}  // namespace yard::testing
