#include "engine/local/native/ports.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "base/fd.h"

namespace yard::engine {
namespace {

// A socket that listens on a port of its own choice.
class Listener {
 public:
  Listener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::listen(fd_.get(), 1), 0);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  std::uint16_t port() const { return port_; }

 private:
  UniqueFd fd_;
  std::uint16_t port_ = 0;
};

const std::array<int, 1> kThis{::getpid()};
const std::array<int, 1> kParent{::getppid()};

TEST(Ports, AProcessListensOnItsOwnPortOnly) {
  const Listener listener;
  EXPECT_TRUE(ListensOn(kThis, listener.port()));
  EXPECT_FALSE(ListensOn(kParent, listener.port())) << "somebody else's port is not its own";
}

TEST(Ports, NobodyListensOnAPortThatIsClosed) {
  std::uint16_t port = 0;
  {
    const Listener listener;
    port = listener.port();
  }
  EXPECT_FALSE(ListensOn(kThis, port));
}

TEST(Ports, EachTaskIsGivenAPortOfItsOwnAndKeepsIt) {
  PortPool pool;
  const TaskKey one{.attempt = AttemptId{{1}}, .rank = 0};
  const TaskKey two{.attempt = AttemptId{{1}}, .rank = 1};
  const std::optional<std::uint16_t> first = pool.Take(one);
  const std::optional<std::uint16_t> second = pool.Take(two);
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  EXPECT_EQ(pool.Take(one), first);
  pool.GiveBack(one);
  EXPECT_EQ(pool.Take(TaskKey{.attempt = AttemptId{{1}}, .rank = 2}), first) << "it is free again";
}

}  // namespace
}  // namespace yard::engine
