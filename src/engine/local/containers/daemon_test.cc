#include "engine/local/containers/daemon.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include <gtest/gtest.h>

namespace yard::engine::containers {
namespace {

TEST(Pull, IsGivenUpAlsoWhileTheDaemonIsSilent) {
  char folder[] = "/tmp/gpuyard-daemon-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  const std::string path = std::string(folder) + "/socket";
  // It takes connections and never says a word.
  UniqueFd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  ASSERT_EQ(::listen(listener.get(), 1), 0);
  Status pulled = Daemon(path).Pull({"any:1", "", ""}, [](const std::string&) { return false; });
  ASSERT_FALSE(pulled);
  EXPECT_EQ(pulled.error().code, Code::kPrecondition) << pulled.error().message;
  ::unlink(path.c_str());
  ::rmdir(folder);
}

}  // namespace
}  // namespace yard::engine::containers
