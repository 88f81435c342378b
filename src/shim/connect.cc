#include "shim/connect.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

#include "shim/text.h"

namespace yard::shim {
namespace {

constexpr int kOut = 3;

int OpenSpace(std::int64_t pid, const char* name) {
  Line path;
  path << "/proc/" << pid << "/ns/" << name;
  return open(path.text(), O_RDONLY | O_CLOEXEC);
}

bool Send(int connection) {
  char word = 0;
  iovec words{&word, 1};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &words;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof(room);
  cmsghdr* given = CMSG_FIRSTHDR(&message);
  given->cmsg_level = SOL_SOCKET;
  given->cmsg_type = SCM_RIGHTS;
  given->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(given), &connection, sizeof(int));
  return sendmsg(kOut, &message, MSG_NOSIGNAL) == 1;
}

}  // namespace

int ConnectBeside(const char* pid, const char* port) {
  const std::int64_t beside = ParseNumber(pid);
  const std::int64_t number = ParseNumber(port);
  if (beside <= 1 || number <= 0 || number > 65'535) return EINVAL;
  // Both before the first is entered: inside it /proc may be closed.
  const int user = OpenSpace(beside, "user");
  const int net = OpenSpace(beside, "net");
  if (user < 0 || net < 0) return errno;
  if (setns(user, CLONE_NEWUSER) != 0 || setns(net, CLONE_NEWNET) != 0) return errno;
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(number));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connection < 0 || connect(connection, reinterpret_cast<sockaddr*>(&to), sizeof(to)) != 0)
    return errno;
  return Send(connection) ? 0 : errno;
}

}  // namespace yard::shim
