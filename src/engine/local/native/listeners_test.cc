#include "engine/local/native/listeners.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include <gmock/gmock.h>

#include "base/fd.h"

namespace yard::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kTable =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
    "inode\n"
    "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 "
    "111 1 0000000000000000 100 0 0 10 0\n"
    "   1: 0200000A:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 "
    "222 1 0000000000000000 100 0 0 10 0\n"
    "   2: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1002        0 "
    "333 1 0000000000000000 100 0 0 10 0\n"
    "   3: 00000000:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1003        0 "
    "444 1 0000000000000000 100 0 0 10 0\n";

TEST(Listeners, AreThoseThatAConnectionToTheLoopbackReaches) {
  EXPECT_THAT(ParseListeners(kTable, 8080), ElementsAre(ListeningSocket{111, 1000}));
  EXPECT_THAT(ParseListeners(kTable, 8081), ElementsAre(ListeningSocket{444, 1003}));
  EXPECT_THAT(ParseListeners(kTable, 8082), IsEmpty());
  EXPECT_THAT(ParseListeners("no table", 8080), IsEmpty());
}

TEST(Listeners, ASocketIsFoundWithTheProcessThatHasIt) {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(::bind(fd.get(), generic, size), 0);
  ASSERT_EQ(::listen(fd.get(), 1), 0);
  ASSERT_EQ(::getsockname(fd.get(), generic, &size), 0);
  const std::vector<ListeningSocket> found = ListenersOn(ntohs(address.sin_port));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].uid, ::geteuid());
  EXPECT_TRUE(HoldSocket(std::array{::getpid()}, found[0].inode));
  EXPECT_FALSE(HoldSocket(std::array{::getppid()}, found[0].inode));
}

}  // namespace
}  // namespace yard::engine
