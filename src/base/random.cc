#include "base/random.h"

#include <sys/random.h>

#include "base/check.h"

namespace yard {
namespace {

class KernelRandom final : public Random {
 public:
  void Fill(std::span<std::uint8_t> bytes) override {
    std::size_t done = 0;
    while (done < bytes.size()) {
      ssize_t n = getrandom(bytes.data() + done, bytes.size() - done, 0);
      YARD_CHECK(n > 0);
      done += static_cast<std::size_t>(n);
    }
  }
};

}  // namespace

Random& SystemRandom() {
  static KernelRandom random;
  return random;
}

std::uint64_t SeededRandom::Next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

void SeededRandom::Fill(std::span<std::uint8_t> bytes) {
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(Next());
}

std::uint64_t SeededRandom::Below(std::uint64_t bound) {
  YARD_CHECK(bound > 0);
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(Next()) * bound) >> 64);
}

}  // namespace yard
