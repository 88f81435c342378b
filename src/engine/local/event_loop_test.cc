#include "engine/local/event_loop.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <future>

#include <gtest/gtest.h>

namespace yard::engine {
namespace {

struct Pipe {
  UniqueFd out, in;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
    out = UniqueFd(ends[0]);
    in = UniqueFd(ends[1]);
  }
};

// Keeps the loop's thread busy, so that all that happens meanwhile comes to it in one piece.
class Pause {
 public:
  explicit Pause(EventLoop& loop) {
    loop.Post([this] {
      begun_.set_value();
      end_.get_future().wait();
    });
    begun_.get_future().wait();
  }
  void End() { end_.set_value(); }

 private:
  std::promise<void> begun_;
  std::promise<void> end_;
};

TEST(EventLoop, AnEventOfADescriptorThatIsGoneDoesNotReachTheNextWithItsNumber) {
  Result<std::unique_ptr<EventLoop>> loop = EventLoop::Start();
  ASSERT_TRUE(loop);
  Pipe a;
  Pipe b;
  const Pipe quiet;  // nothing ever comes from it
  std::atomic<int> first = 0;
  std::atomic<int> wrong = 0;
  std::promise<void> replaced;
  // The first of the two closes the other and has its number given to a quiet one.
  auto replace = [&](int own, int other) {
    (*loop)->Unwatch(own);
    if (++first != 1) return;
    (*loop)->Unwatch(other);
    EXPECT_EQ(::dup3(quiet.out.get(), other, O_CLOEXEC), other);
    EXPECT_TRUE((*loop)->Watch(other, [&, other] {
      (*loop)->Unwatch(other);
      ++wrong;
    }));
    replaced.set_value();
  };
  ASSERT_TRUE((*loop)->Watch(a.out.get(), [&] { replace(a.out.get(), b.out.get()); }));
  ASSERT_TRUE((*loop)->Watch(b.out.get(), [&] { replace(b.out.get(), a.out.get()); }));
  // Begun after the watches: they wait for a callback that runs.
  Pause pause(**loop);
  ASSERT_EQ(::write(a.in.get(), "x", 1), 1);
  ASSERT_EQ(::write(b.in.get(), "x", 1), 1);
  pause.End();
  replaced.get_future().wait();
  (*loop)->Flush();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace yard::engine
