// What a process says to the keeper of its slice, on a SOCK_SEQPACKET unix socket, and what it
// hears back: once to join, when the region's descriptor travels with the reply, and whenever it
// wants more than the slice may hold at that moment. A connection carries one question.
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

enum class Role : std::uint32_t {
  kProcess = 1,
  kObserver = 2,  // gets the region and no slot
  kGrower = 3,    // a process of the slice that wants more than it may hold now: a Wish
  kLooker = 4,    // one for which the driver took memory of unknown size: a Wish, whose `bytes`
                  // mean nothing. Answered once NVML was asked and the slice's overhead is right.
};

struct Hello {
  std::uint32_t magic;
  std::uint32_t abi;
  Role role;
  std::uint32_t inner_pid;
};

// Answered with kWelcome once the slice may hold so much more, else with kNoRoom.
struct Wish {
  Hello hello;
  std::uint32_t gpu;    // of the region
  std::uint32_t fresh;  // kLooker: 1 if the process holds one context of the GPU and nothing else
  std::uint64_t bytes;
};

enum class Answer : std::uint32_t {
  kWelcome = 0,
  kWrongAbi = 1,
  kFull = 2,
  kForbidden = 3,
  kNoRoom = 4,
  kParked = 5,  // the slice is off its GPU for now
};

struct Reply {
  std::uint32_t magic;
  Answer answer;
  std::uint32_t slot;
  std::uint32_t reserved;
};

static_assert(sizeof(Hello) == 16 && sizeof(Reply) == 16 && sizeof(Wish) == 32);

}  // namespace yard::slice
