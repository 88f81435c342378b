// Kills a committing process at random moments and looks at what it left.
//
// kill -9 loses what the process had in memory, not what the kernel had; power loss is not tried
// here. For that the store relies on SQLite's syncs, named in sqlite/sqlite_store.cc.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/strings.h"
#include "store/sqlite/store_crash.h"
#include "store/sqlite/store_fixture.h"

extern char** environ;

extern const char kStoreCrashChild[];  // see yard_paths

namespace yard::store {
namespace {

constexpr int kRounds = 50;

// A child that commits until it is killed.
class Child {
 public:
  explicit Child(std::string directory) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::string program = kStoreCrashChild;
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

  // Waits until the child has acknowledged something.
  void AwaitFirst() {
    while (LastWhole() == 0 && ReadSome()) continue;
  }

  // Reads acknowledgements for as long as given, then kills. Returns the last whole one, 0 if
  // there was none.
  std::int64_t KillAfter(std::chrono::milliseconds delay) {
    auto end = std::chrono::steady_clock::now() + delay;
    while (true) {
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      if (left.count() <= 0) break;
      pollfd ready{.fd = output_, .events = POLLIN};
      if (::poll(&ready, 1, static_cast<int>(left.count())) > 0 && !ReadSome()) break;
    }
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << WEXITSTATUS(status);
    while (ReadSome()) continue;
    return LastWhole();
  }

 private:
  bool ReadSome() {
    std::array<char, 4096> bytes{};
    ssize_t size = ::read(output_, bytes.data(), bytes.size());
    if (size > 0) text_.append(bytes.data(), static_cast<std::size_t>(size));
    return size > 0;
  }
  std::int64_t LastWhole() const {
    std::size_t end = text_.rfind('\n');
    if (end == std::string::npos) return 0;
    std::vector<std::string_view> lines = Split(std::string_view(text_).substr(0, end), '\n');
    return ParseInt(lines.back()).value_or(0);
  }

  pid_t pid_ = 0;
  int output_ = -1;
  std::string text_;
};

// Every entry up to the last sequence number is there in all its parts, and nothing else is.
void ExpectWhole(Store& store) {
  std::int64_t entries = store.last_sequence() / CrashScript::kRows;
  EXPECT_EQ(store.last_sequence() % CrashScript::kRows, 0);
  auto live = LoadAll(store);
  EXPECT_EQ(static_cast<std::int64_t>(live.size()), entries == 0 ? 0 : entries + 1);
  std::vector<std::string> names;
  for (const auto& [id, object] : live) {
    if (auto* counter = std::get_if<Ptr<Counter>>(&object)) {
      EXPECT_EQ((*counter)->next, entries);
    } else {
      names.push_back(NameOf(object));
    }
  }
  std::ranges::sort(names, {}, [](const std::string& name) { return *ParseInt(name); });
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(ParseInt(names[i]), static_cast<std::int64_t>(i) * CrashScript::kRows + 1);
  }
  auto page = store.ReadJournal({.limit = 1});
  ASSERT_TRUE(page);
  EXPECT_EQ(page->total, store.last_sequence());
}

void ExpectEvents(Store& store) {
  for (const auto& [id, object] : LoadAll(store)) {
    auto* workload = std::get_if<Ptr<Workload>>(&object);
    if (workload == nullptr) continue;
    auto events = store.ReadEvents((*workload)->id, 0, 10);
    ASSERT_TRUE(events);
    ASSERT_EQ(events->size(), 1u);
    EXPECT_EQ(events->front().message, (*workload)->name);
  }
}

TEST(StoreCrash, NoAcknowledgedEntryIsLostAndNoneIsHalfThere) {
  std::array<std::uint8_t, 2> bytes{};
  SystemRandom().Fill(bytes);
  unsigned seed = bytes[0] * 256U + bytes[1];
  if (const char* chosen = std::getenv("GPUYARD_TEST_SEED")) {
    seed = static_cast<unsigned>(std::atoi(chosen));
  }
  std::printf("seed %u (repeat with GPUYARD_TEST_SEED)\n", seed);
  SeededRandom random(seed);
  TemporaryDirectory directory;
  std::int64_t acknowledged = 0;
  int productive_rounds = 0;
  for (int round = 0; round < kRounds && !testing::Test::HasFailure(); ++round) {
    Child child(directory.path());
    // One round in five may end while the child is still opening the store.
    if (random.Below(5) > 0) child.AwaitFirst();
    std::int64_t last = child.KillAfter(std::chrono::milliseconds(random.Below(60)));
    productive_rounds += last > 0 ? 1 : 0;
    acknowledged = std::max(acknowledged, last);
    auto store = MustOpen(directory.path());
    ASSERT_NE(store, nullptr);
    EXPECT_GE(store->last_sequence(), acknowledged) << "round " << round;
    ExpectWhole(*store);
  }
  ExpectEvents(*MustOpen(directory.path()));
  EXPECT_GT(productive_rounds, kRounds / 2) << "the child hardly ever got to commit";
  std::printf("%d of %d rounds committed, %lld rows acknowledged\n", productive_rounds, kRounds,
              static_cast<long long>(acknowledged));
}

}  // namespace
}  // namespace yard::store
