#include "slice/cuda/attach.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "slice/cuda/self.h"

namespace yard::slice {
namespace {

constexpr int kAnswerSeconds = 5;

int Connect(const char* path) {
  sockaddr_un address{};
  if (strlen(path) >= sizeof(address.sun_path)) return -1;
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path, path);
  const timeval limit{kAnswerSeconds, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) return fd;
  close(fd);
  return -1;
}

// The reply and the descriptor beside it; -1 if refused or cut short.
int ReceiveRegion(int socket_fd, Reply* reply) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  iovec part{reply, sizeof(*reply)};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  const ssize_t got = recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC);
  if (got != static_cast<ssize_t>(sizeof(*reply)) || reply->magic != kHelloMagic) return -1;
  const cmsghdr* const head = CMSG_FIRSTHDR(&message);
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS) return -1;
  int fd = -1;
  memcpy(&fd, CMSG_DATA(head), sizeof(fd));
  return fd;
}

Region* MapRegion(int fd) {
  void* const memory = mmap(nullptr, sizeof(Region), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (memory == MAP_FAILED) return nullptr;
  auto* const region = static_cast<Region*>(memory);
  if (region->magic == kRegionMagic && region->abi == kRegionAbi) return region;
  munmap(memory, sizeof(Region));
  return nullptr;
}

int ConnectToKeeper() {
  Path folder, path;
  if (!FindSliceFolder(&folder) || !Join(folder.text, kSocketName, &path)) return -1;
  return Connect(path.text);
}

Hello HelloAs(Role role) {
  return {kHelloMagic, kRegionAbi, role, static_cast<std::uint32_t>(getpid())};
}

bool Register(Process* process, Role role) {
  const int fd = ConnectToKeeper();
  if (fd < 0) return false;
  const Hello hello = HelloAs(role);
  Reply reply{};
  int region_fd = -1;
  if (send(fd, &hello, sizeof(hello), MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof(hello)))
    region_fd = ReceiveRegion(fd, &reply);
  close(fd);
  if (region_fd < 0) return false;
  process->region = MapRegion(region_fd);
  if (process->region == nullptr) return false;
  if (role == Role::kProcess && reply.slot < kMaxSlots)
    process->slot = &process->region->slot[reply.slot];
  return role == Role::kObserver || process->slot != nullptr;
}

// kNoRoom also while the keeper is away.
Answer Ask(const Wish& wish) {
  const int fd = ConnectToKeeper();
  if (fd < 0) return Answer::kNoRoom;
  Reply reply{};
  const bool heard =
      send(fd, &wish, sizeof(wish), MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof(wish)) &&
      recv(fd, &reply, sizeof(reply), 0) == static_cast<ssize_t>(sizeof(reply));
  close(fd);
  return heard && reply.magic == kHelloMagic ? reply.answer : Answer::kNoRoom;
}

}  // namespace

void Attach(Process* process, Role role) {
  process->phase.store(Register(process, role) ? Process::kAttached : Process::kRefused,
                       std::memory_order_release);
}

Answer AskForRoom(int gpu, std::uint64_t bytes) {
  return Ask({HelloAs(Role::kGrower), static_cast<std::uint32_t>(gpu), 0, bytes});
}

bool AskForLook(int gpu, Holds holds) {
  const std::uint32_t fresh = holds == Holds::kFirstContext ? 1 : 0;
  return Ask({HelloAs(Role::kLooker), static_cast<std::uint32_t>(gpu), fresh, 0}) ==
         Answer::kWelcome;
}

}  // namespace yard::slice
