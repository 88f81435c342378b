// What a process says to the keeper of its slice, once, on a SOCK_SEQPACKET unix socket, and what
// it hears back. The region's descriptor travels with the reply.
//
// The socket lies at <slice folder>/door/agent.sock: a container has the folder `door` mounted, so
// that a restarted keeper's new socket is seen inside. The stand-in libraries lie in <slice
// folder>/lib and the real ones are reachable in <slice folder>/real. Inside a container the slice
// folder is kContainerDir. Nothing here comes from the environment.
#pragma once

#include <cstdint>

namespace yard::slice {

inline constexpr std::uint32_t kHelloMagic = 0x4f4c4548;
inline constexpr const char* kContainerDir = "/run/gpuyard/slice";
inline constexpr const char* kDoorName = "door";
inline constexpr const char* kSocketName = "door/agent.sock";
inline constexpr std::uint32_t kNoSlot = 0xffffffff;

enum class Role : std::uint32_t { kProcess = 1, kObserver = 2 };  // an observer gets no slot

struct Hello {
  std::uint32_t magic;
  std::uint32_t abi;
  Role role;
  std::uint32_t inner_pid;
};

enum class Answer : std::uint32_t { kWelcome = 0, kWrongAbi = 1, kFull = 2, kForbidden = 3 };

struct Reply {
  std::uint32_t magic;
  Answer answer;
  std::uint32_t slot;
  std::uint32_t reserved;
};

static_assert(sizeof(Hello) == 16 && sizeof(Reply) == 16);

}  // namespace yard::slice
