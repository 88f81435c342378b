#include "serve/live/poller.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <array>
#include <future>
#include <memory>

#include <gtest/gtest.h>

#include "serve/live/descriptor.h"

namespace yard::serve {
namespace {

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
    reader.Reset(ends[0]);
    writer.Reset(ends[1]);
  }
  UniqueFd reader;
  UniqueFd writer;
};

TEST(Poller, SaysOnceWhenThereIsSomethingToRead) {
  Poller poller;
  Pipe pipe;
  std::promise<void> ready;
  poller.Post([&] { poller.OnReadable(pipe.reader.get(), [&] { ready.set_value(); }); });
  std::string_view bytes = "x";
  EXPECT_EQ(WriteSome(pipe.writer.get(), bytes), Flow::kSome);
  ready.get_future().wait();
}

TEST(Poller, TakesTheEndOfAPipeForSomethingToRead) {
  Poller poller;
  Pipe pipe;
  std::promise<Flow> flow;
  poller.Post([&] {
    poller.OnReadable(pipe.reader.get(), [&] {
      std::string none;
      flow.set_value(ReadSome(pipe.reader.get(), 10, none));
    });
  });
  pipe.writer.Reset();
  EXPECT_EQ(flow.get_future().get(), Flow::kEnded);
}

TEST(Poller, WaitsForBothDirectionsOfOneDescriptor) {
  Poller poller;
  Pipe pipe;
  std::promise<void> writable;
  std::promise<void> readable;
  poller.Post([&] {
    poller.OnWritable(pipe.writer.get(), [&] { writable.set_value(); });
    poller.OnReadable(pipe.reader.get(), [&] { readable.set_value(); });
  });
  writable.get_future().wait();
  std::string_view bytes = "x";
  WriteSome(pipe.writer.get(), bytes);
  readable.get_future().wait();
}

TEST(Poller, FindsAPlainFileReady) {
  Poller poller;
  UniqueFd file(memfd_create("plain", MFD_CLOEXEC));
  std::promise<void> ready;
  poller.Post([&] { poller.OnReadable(file.get(), [&] { ready.set_value(); }); });
  ready.get_future().wait();
}

TEST(Poller, AnEventOfADescriptorThatIsGoneDoesNotReachTheNextWithItsNumber) {
  Poller poller;
  Pipe a;
  Pipe b;
  Pipe quiet;  // nothing ever comes from it
  std::promise<void> replaced;
  int calls = 0;
  int wrong = 0;
  // The first of the two has the other's number given to a quiet one.
  auto replace = [&](int other) {
    if (++calls != 1) return;
    poller.Forget(other);
    EXPECT_EQ(dup3(quiet.reader.get(), other, O_CLOEXEC), other);
    poller.OnReadable(other, [&] { ++wrong; });
    poller.Post([&] { replaced.set_value(); });
  };
  // Both have something to read before the poller looks.
  poller.Post([&] {
    poller.OnReadable(a.reader.get(), [&] { replace(b.reader.get()); });
    poller.OnReadable(b.reader.get(), [&] { replace(a.reader.get()); });
    for (const Pipe* pipe : {&a, &b}) {
      std::string_view bytes = "x";
      EXPECT_EQ(WriteSome(pipe->writer.get(), bytes), Flow::kSome);
    }
  });
  replaced.get_future().wait();
  std::promise<void> done;
  poller.Post([&] { done.set_value(); });
  done.get_future().wait();
  poller.Stop();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(wrong, 0);
}

TEST(Poller, DropsWhatWasForgotten) {
  Poller poller;
  Pipe pipe;
  auto held = std::make_shared<int>(1);
  std::promise<void> forgotten;
  poller.Post([&] {
    poller.OnReadable(pipe.reader.get(), [held] { ADD_FAILURE() << "called"; });
    poller.Forget(pipe.reader.get());
    forgotten.set_value();
  });
  forgotten.get_future().wait();
  std::string_view bytes = "x";
  WriteSome(pipe.writer.get(), bytes);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Poller, CallsNothingOfWhatTheFirstDirectionForgot) {
  Poller poller;
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()), 0);
  UniqueFd ours(ends[0]);
  UniqueFd theirs(ends[1]);
  std::promise<void> forgotten;
  poller.Post([&] {
    poller.OnReadable(ours.get(), [&] {
      poller.Forget(ours.get());
      poller.Post([&] { forgotten.set_value(); });
    });
    poller.OnWritable(ours.get(), [] { ADD_FAILURE() << "called"; });
    theirs.Reset();  // both directions are ready at once
  });
  forgotten.get_future().wait();
}

TEST(Poller, DropsEverythingWhenItStops) {
  auto held = std::make_shared<int>(1);
  Pipe pipe;
  Poller poller;
  poller.Post([&] { poller.OnReadable(pipe.reader.get(), [held] {}); });
  poller.Stop();
  poller.Post([held] { ADD_FAILURE() << "called"; });
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace yard::serve
