// Clauses about logs.
#include <gmock/gmock.h>

#include "base/time.h"
#include "engine/testing/conformance.h"

namespace yard::engine::testing {
namespace {

TEST_P(Conformance, TheLogIsReadByOffset) {
  const TaskKey key = LaunchShell("echo 0123456789");
  WaitEnd(key);
  Result<LogChunk> chunk = engine().logs()->ReadLog(key, 3, 4);
  ASSERT_TRUE(chunk);
  EXPECT_EQ(chunk->offset, 3);
  EXPECT_EQ(chunk->bytes, "3456");
  EXPECT_EQ(chunk->next, 7);
  EXPECT_FALSE(chunk->at_end);
  chunk = engine().logs()->ReadLog(key, 7, 100);
  EXPECT_EQ(chunk->bytes, "789\n");
  EXPECT_TRUE(chunk->at_end);
  chunk = engine().logs()->ReadLog(key, chunk->next, 100);
  EXPECT_EQ(chunk->bytes, "");
  EXPECT_TRUE(chunk->at_end);
}

TEST_P(Conformance, TheLogOfARunningTaskHasNoEnd) {
  const TaskKey key = LaunchShell("echo now; sleep 100");
  WaitLog(key, "now\n");
  Result<LogChunk> chunk = engine().logs()->ReadLog(key, 0, 100);
  ASSERT_TRUE(chunk);
  EXPECT_FALSE(chunk->at_end);
  EXPECT_EQ(chunk->next, 4);
}

TEST_P(Conformance, TheLogIsFoundByTime) {
  const TaskKey key =
      LaunchShell("echo first; sleep 6; echo second; sleep 1; echo third; sleep 100");
  const Time started = *WaitRunning(key).started_at;
  const Time between = started + Seconds(3);  // however late this test sees what
  WaitLog(key, "third\n");                    // times are noted just behind the words
  EXPECT_EQ(engine().logs()->LogOffsetAt(key, started - Seconds(1)), 0);
  EXPECT_EQ(engine().logs()->LogOffsetAt(key, between), 6);
  EXPECT_EQ(engine().logs()->LogOffsetAt(key, SystemClock().Now() + Hours(1)), 19);
}

TEST_P(Conformance, WatchersHearOfTheEnd) {
  const TaskKey key = LaunchShell("echo a; sleep 0.3");
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  Result<std::unique_ptr<LogWatch>> watch = engine().logs()->WatchLog(key, [&] {
    Result<LogChunk> chunk = engine().logs()->ReadLog(key, 0, 100);
    std::lock_guard hold(mutex);
    ended = ended || (chunk && chunk->at_end);
    changed.notify_all();
  });
  ASSERT_TRUE(watch);
  std::unique_lock hold(mutex);
  EXPECT_TRUE(changed.wait_for(hold, std::chrono::seconds(120), [&] { return ended; }));
}

TEST_P(Conformance, TheLogStaysAfterTheEndAndARestart) {
  const TaskKey key = LaunchShell("echo kept");
  WaitEnd(key);
  Restart();
  EXPECT_EQ(WholeLog(key), "kept\n");
}

TEST_P(ProcessConformance, AFloodKeepsTheBeginningAndTheNewestPart) {
  constexpr std::int64_t kFlood = 100'000'000;
  TaskSpec spec = host().Shell("echo beginning; head -c 100000000 /dev/zero; echo; echo newest");
  spec.limits.log = Mebibytes(2);
  const TaskKey key = Launch(spec);
  EXPECT_EQ(WaitEnd(key).cause, EndCause::kCompleted);
  std::int64_t kept = 0;
  std::int64_t gap = 0;
  std::string last;
  for (std::int64_t at = 0;;) {
    Result<LogChunk> chunk = engine().logs()->ReadLog(key, at, 65536);
    ASSERT_TRUE(chunk);
    EXPECT_TRUE(at > 0 || chunk->bytes.starts_with("beginning\n"));
    gap += chunk->offset - at;
    kept += static_cast<std::int64_t>(chunk->bytes.size());
    if (!chunk->bytes.empty()) last = chunk->bytes;
    at = chunk->next;
    if (chunk->at_end) break;
  }
  EXPECT_TRUE(last.ends_with("\nnewest\n"));
  EXPECT_LE(kept, 2 << 20);
  EXPECT_GE(kept, 1 << 20);
  EXPECT_EQ(kept + gap, kFlood + 10 + 1 + 7);
}

TEST_P(ProcessConformance, SecretVariablesAreMaskedInTheLog) {
  TaskSpec spec = host().Shell("echo pass=$PASSWORD.");
  spec.variables = {{"PASSWORD", "hunter2hunter2", true}};
  const TaskKey key = Launch(spec);
  WaitEnd(key);
  EXPECT_EQ(WholeLog(key), "pass=**************.\n");
  // Also when a read ends inside the secret.
  EXPECT_EQ(engine().logs()->ReadLog(key, 0, 8)->bytes, "pass=***");
  EXPECT_EQ(engine().logs()->ReadLog(key, 8, 4)->bytes, "****");
}

}  // namespace
}  // namespace yard::engine::testing
