#include <condition_variable>
#include <future>
#include <mutex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;

// Collects what is written and lets a test wait until a text has come.
class Recorder final : public http::Stream {
 public:
  bool Write(std::string chunk) override {
    std::lock_guard lock(mutex_);
    text_ += chunk;
    came_.notify_all();
    return open_;
  }
  void OnDrained(std::move_only_function<void()> ready) override { ready(); }
  void OnGone(std::move_only_function<void()>) override {}
  void Abort() override { Close(); }
  // Everything so far, once `part` is in it.
  std::string WaitFor(std::string_view part) {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return text_.find(part) != std::string::npos; });
    return text_;
  }
  void Close() {
    std::lock_guard lock(mutex_);
    open_ = false;
  }
  void End() {
    std::lock_guard lock(mutex_);
    ended_ = true;
    came_.notify_all();
  }
  // Everything, once the server has let go of the stream.
  std::string WaitForEnd() {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return ended_; });
    return text_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::string text_;
  bool open_ = true;
  bool ended_ = false;
};

// What the server holds: its end is the end of the answer.
class Held final : public http::Stream {
 public:
  explicit Held(std::shared_ptr<Recorder> recorder) : recorder_(std::move(recorder)) {}
  ~Held() override { recorder_->End(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  bool Write(std::string chunk) override { return recorder_->Write(std::move(chunk)); }

 private:
  std::shared_ptr<Recorder> recorder_;
};

std::shared_ptr<Recorder> WatchWith(Harness& harness, std::string credentials, std::string target) {
  http::Request request{.target = std::move(target),
                        .headers = {{"authorization", std::move(credentials)}}};
  std::promise<http::Reply> promise;
  harness.server().Handle(std::move(request),
                          [&](http::Reply reply) { promise.set_value(std::move(reply)); });
  http::Reply reply = promise.get_future().get();
  EXPECT_EQ(reply.content_type, "text/event-stream");
  auto recorder = std::make_shared<Recorder>();
  if (reply.stream) reply.stream(std::make_shared<Held>(recorder));
  return recorder;
}

std::shared_ptr<Recorder> Watch(Harness& harness, std::string_view who, std::string target) {
  return WatchWith(harness, fmt::format("User {}", who), std::move(target));
}

std::size_t Count(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(ChangeStream, TellsOfEveryChangeWithItsPlaceInTheJournal) {
  Harness harness;
  auto recorder = Watch(harness, testing::kAdmin, "/api/v1/events/stream");
  harness.MakeProject("vision");
  std::string text = recorder->WaitFor(R"("name":"vision")");
  EXPECT_NE(text.find("event: change\nid: "), std::string::npos);
  EXPECT_NE(text.find(R"("verb":"create","kind":"project")"), std::string::npos);
  EXPECT_EQ(text.find("counter"), std::string::npos);
}

TEST(ChangeStream, ResumesFromTheJournalWithoutGapOrRepetition) {
  Harness harness;
  harness.MakeProject("first");
  auto recorder = Watch(harness, testing::kAdmin, "/api/v1/events/stream?after=0");
  harness.MakeProject("second");
  std::string text = recorder->WaitFor(R"("name":"second")");
  EXPECT_EQ(Count(text, R"("name":"first")"), 1U);
  EXPECT_EQ(Count(text, R"("name":"second")"), 1U);
}

TEST(ChangeStream, HidesWhatTheListenerMayNotSee) {
  Harness harness;
  ProjectId mine = harness.MakeProject("mine");
  harness.Grant("ann@lab.org", "L1 researcher", Scope::Of(mine));
  auto recorder = Watch(harness, "ann@lab.org", "/api/v1/events/stream");
  harness.MakeProject("theirs");
  auto touch = [&](control::Txn& txn) -> Status {
    txn.Put(*txn.state().Find<Project>(mine));
    return {};
  };
  ASSERT_TRUE(harness.service().WriteAndWait(control::SystemPrincipal(), touch));
  EXPECT_EQ(recorder->WaitFor(R"("name":"mine")").find("theirs"), std::string::npos);
}

TEST(ChangeStream, AClosedListenerIsLeftAlone) {
  Harness harness;
  auto gone = Watch(harness, testing::kAdmin, "/api/v1/events/stream");
  harness.MakeProject("one");
  gone->WaitFor(R"("name":"one")");
  gone->Close();
  auto other = Watch(harness, testing::kAdmin, "/api/v1/events/stream?after=0");
  harness.MakeProject("two");
  harness.MakeProject("three");
  other->WaitFor(R"("name":"three")");
  EXPECT_EQ(gone->WaitFor("").find("three"), std::string::npos);
}

TEST(ChangeStream, EndsWhenTheCallersTokenExpires) {
  Harness harness;
  Ptr<User> admin = harness.state()->UserByEmail(testing::kAdmin);
  std::string token = Identity(control::TokenKey({42})).Open(*admin, harness.clock().Now()).access;
  auto recorder = WatchWith(harness, "Bearer " + token, "/api/v1/events/stream");
  harness.MakeProject("in-time");
  recorder->WaitFor(R"("name":"in-time")");
  harness.clock().Advance(Days(2));
  harness.MakeProject("too-late");
  EXPECT_EQ(recorder->WaitForEnd().find("too-late"), std::string::npos);
}

TEST(ChangeStream, AListenerFromAnotherHistoryIsToldToReadEverythingAnew) {
  Harness harness;
  auto recorder = Watch(harness, testing::kAdmin, "/api/v1/events/stream?after=1000000");
  std::string text = recorder->WaitForEnd();
  EXPECT_NE(text.find("event: resync\nid: "), std::string::npos) << text;
}

TEST(ChangeStream, RefusesAPlaceThatIsNoNumber) {
  Harness harness;
  EXPECT_EQ(harness.Admin().Get("/api/v1/events/stream?after=yesterday").status, 400);
}

}  // namespace
}  // namespace yard::api
