// Kills a process with sixteen writers at random moments and looks at what it left.
//
// kill -9 loses what the process had in memory, not what the kernel had; power loss is not tried
// here. For that the store relies on fdatasync of the log and SQLite's syncs.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/strings.h"
#include "store/series/series_fixture.h"

extern char** environ;

extern const char kSeriesCrashChild[];  // see yard_paths

namespace yard::store {
namespace {

constexpr int kRounds = 200;
constexpr auto kLongest = std::chrono::seconds(20);

using Acknowledged = std::map<std::int64_t, std::int64_t>;  // writer to step

class Child {
 public:
  explicit Child(std::string directory) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::string program = kSeriesCrashChild;
    std::array<char*, 3> arguments{program.data(), directory.data(), nullptr};
    EXPECT_EQ(::posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments.data(), environ),
              0);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    output_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { ::close(output_); }

  // Waits for a first acknowledgement, reads on for as long as given, kills. Adds what was
  // acknowledged.
  void KillAfter(std::chrono::milliseconds delay, Acknowledged& acknowledged) {
    ReadSome();
    auto end = std::chrono::steady_clock::now() + delay;
    while (std::chrono::steady_clock::now() < end) {
      pollfd ready{.fd = output_, .events = POLLIN};
      if (::poll(&ready, 1, 1) > 0 && !ReadSome()) break;
    }
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << WEXITSTATUS(status);
    while (ReadSome()) continue;
    Note(acknowledged);
  }

 private:
  bool ReadSome() {
    std::array<char, 16384> bytes{};
    ssize_t size = ::read(output_, bytes.data(), bytes.size());
    if (size > 0) text_.append(bytes.data(), static_cast<std::size_t>(size));
    return size > 0;
  }
  void Note(Acknowledged& acknowledged) const {
    std::size_t end = text_.rfind('\n');
    if (end == std::string::npos) return;
    for (std::string_view line : Split(std::string_view(text_).substr(0, end), '\n')) {
      std::vector<std::string_view> words = Split(line, ' ');
      ASSERT_EQ(words.size(), 2u);
      auto [found, added] = acknowledged.try_emplace(*ParseInt(words[0]), 0);
      found->second = std::max(found->second, *ParseInt(words[1]));
    }
  }

  pid_t pid_ = 0;
  int output_ = -1;
  std::string text_;
};

// Each writer's steps are 0, 1, 2, ... without a gap or a repeat, at least up to the acknowledged
// one, and alike in all three series.
void ExpectWhole(SeriesStore& store, const Acknowledged& acknowledged) {
  for (const auto& [writer, last] : acknowledged) {
    std::string run = "run-" + std::to_string(writer);
    Points points = MustRead(store, run, "a");
    ASSERT_GT(static_cast<std::int64_t>(points.size()), last) << "lost: " << run;
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_EQ(points[i].step, static_cast<std::int64_t>(i)) << "lost or doubled: " << run;
    }
    ASSERT_TRUE(MustRead(store, run, "b") == points) << "half a batch: " << run;
    ASSERT_TRUE(MustRead(store, run, "c") == points) << "half a batch: " << run;
  }
  ASSERT_TRUE(store.Verify());
  EXPECT_TRUE(store.Damages().empty());
}

unsigned ChooseSeed() {
  if (const char* chosen = std::getenv("GPUYARD_TEST_SEED")) {
    return static_cast<unsigned>(std::atoi(chosen));
  }
  std::array<std::uint8_t, 2> bytes{};
  SystemRandom().Fill(bytes);
  return bytes[0] * 256U + bytes[1];
}

TEST(SeriesCrash, NoAcknowledgedPointIsLostAndNoneIsDoubled) {
  unsigned seed = ChooseSeed();
  std::printf("seed %u (repeat with GPUYARD_TEST_SEED)\n", seed);
  SeededRandom random(seed);
  TemporaryDirectory directory;
  Acknowledged acknowledged;
  auto start = std::chrono::steady_clock::now();
  int round = 0;
  for (; round < kRounds && !testing::Test::HasFailure(); ++round) {
    if (std::chrono::steady_clock::now() - start > kLongest) break;
    Child(directory.path()).KillAfter(std::chrono::milliseconds(random.Below(25)), acknowledged);
    if (round % 20 == 19) ExpectWhole(*MustOpenSeries(directory.path()), acknowledged);
  }
  ExpectWhole(*MustOpenSeries(directory.path()), acknowledged);
  EXPECT_EQ(acknowledged.size(), 16u);
  std::int64_t batches = 0;
  for (const auto& [writer, last] : acknowledged) batches += last + 1;
  std::printf("%d kills, %lld batches acknowledged\n", round, static_cast<long long>(batches));
  EXPECT_GE(round, 5) << "the machine is too slow for this test to say anything";
}

}  // namespace
}  // namespace yard::store
