#include <future>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/testing/harness.h"
#include "api/testing/stream_recorder.h"

namespace yard::api {
namespace {

using testing::Harness;

using Recorder = testing::StreamRecorder;

// What the server holds; it keeps the recorder, which a test may let go of before the harness.
std::shared_ptr<http::Stream> StreamTo(const std::shared_ptr<Recorder>& recorder) {
  using Both = std::pair<std::shared_ptr<Recorder>, std::shared_ptr<http::Stream>>;
  auto both = std::make_shared<Both>(recorder, recorder->stream());
  return {both, both->second.get()};
}

std::shared_ptr<Recorder> WatchWith(Harness& harness, std::string credentials, std::string target) {
  http::Request request{.target = std::move(target),
                        .headers = {{"authorization", std::move(credentials)}}};
  std::promise<http::Reply> promise;
  harness.server().Handle(std::move(request),
                          [&](http::Reply reply) { promise.set_value(std::move(reply)); });
  http::Reply reply = promise.get_future().get();
  EXPECT_EQ(reply.content_type, "text/event-stream");
  auto recorder = std::make_shared<Recorder>();
  if (reply.stream) reply.stream(StreamTo(recorder));
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
  gone->Leave();
  auto other = Watch(harness, testing::kAdmin, "/api/v1/events/stream?after=0");
  harness.MakeProject("two");
  harness.MakeProject("three");
  other->WaitFor(R"("name":"three")");
  EXPECT_EQ(gone->WaitFor("").find("three"), std::string::npos);
}

TEST(ChangeStream, EndsWhenTheCallersTokenExpires) {
  Harness harness;
  Ptr<User> admin = harness.state()->UserByEmail(testing::kAdmin);
  std::string token =
      serve::Identity(control::TokenKey({42})).Open(*admin, harness.clock().Now()).access;
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
