#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/testing/live_site.h"
#include "api/testing/stream_recorder.h"
#include "serve/live/log_place.h"

namespace yard::api {
namespace {

using testing::EngineRoom;
using ::testing::HasSubstr;
using testing::LiveSite;
using testing::Response;
using testing::StreamRecorder;

constexpr Time kLongAgo{1'000'000};

class Logs : public ::testing::Test {
 protected:
  Response Get(std::string_view query) {
    return site_.admin.Get(site_.Path("/logs") + std::string(query));
  }
  static std::string Header(const Response& response, std::string_view name) {
    for (const http::Header& header : response.headers) {
      if (header.first == name) return header.second;
    }
    return "";
  }

  LiveSite site_;
};

TEST_F(Logs, AreTextWithTheirPlaceInTheHeaders) {
  site_.live.Write("one\ntwo\n", kLongAgo);
  Response r = Get("");
  EXPECT_EQ(r.status, 200);
  EXPECT_EQ(r.body, "one\ntwo\n");
  EXPECT_EQ(Header(r, "Gpuyard-Log-Offset"), "0");
  EXPECT_EQ(Header(r, "Gpuyard-Log-Next"), "8");
  EXPECT_EQ(Header(r, "Gpuyard-Log-End"), "false");
  EXPECT_EQ(Header(r, "X-Content-Type-Options"), "nosniff");
  site_.live.EndLog();
  EXPECT_EQ(Header(Get(""), "Gpuyard-Log-End"), "true");
}

TEST_F(Logs, AreReadInRanges) {
  site_.live.Write("0123456789", kLongAgo);
  Response r = Get("?offset=3&limit=4");
  EXPECT_EQ(r.body, "3456");
  EXPECT_EQ(Header(r, "Gpuyard-Log-Next"), "7");
  EXPECT_EQ(Get("?offset=99").body, "");
}

TEST_F(Logs, SayWhereTheyBeginIfTheFrontWasDropped) {
  site_.live.Write("0123456789", kLongAgo);
  site_.live.DropLogBefore(6);
  Response r = Get("?offset=2");
  EXPECT_EQ(r.body, "6789");
  EXPECT_EQ(Header(r, "Gpuyard-Log-Offset"), "6");
}

TEST_F(Logs, CountTheirTailFromTheEnd) {
  site_.live.Write("one\ntwo\nthree\n", kLongAgo);
  EXPECT_EQ(Get("?tail=1").body, "three\n");
  EXPECT_EQ(Get("?tail=2").body, "two\nthree\n");
  EXPECT_EQ(Get("?tail=3").body, "one\ntwo\nthree\n");
  EXPECT_EQ(Get("?tail=99").body, "one\ntwo\nthree\n");
  EXPECT_EQ(Get("?tail=0").body, "");
  site_.live.Write("unfinished", kLongAgo);
  EXPECT_EQ(Get("?tail=1").body, "unfinished");
}

TEST_F(Logs, FindATailThatIsLongerThanOneStepBack) {
  std::string line(1000, 'x');
  for (int i = 0; i < 500; ++i) site_.live.Write(line + "\n", kLongAgo);
  EXPECT_EQ(Get("?tail=200").body.size(), 200 * 1001U);
}

TEST_F(Logs, OfATailReachNoFurtherThanWhatIsKept) {
  site_.live.Write("one\ntwo\nthree\n", kLongAgo);
  site_.live.DropLogBefore(6);
  EXPECT_EQ(Get("?tail=9").body, "o\nthree\n");
}

TEST_F(Logs, BeginAtATime) {
  Time now = site_.harness.clock().Now();
  site_.live.Write("old\n", now - Hours(2));
  site_.live.Write("new\n", now - Minutes(5));
  EXPECT_EQ(Get("?since=10m").body, "new\n");
  EXPECT_EQ(Get("?since=3h").body, "old\nnew\n");
  EXPECT_EQ(Get("?sinceTime=" + FormatRfc3339(now - Hours(1))).body, "new\n");
  EXPECT_EQ(Get("?since=3h&tail=1").body, "new\n");
  EXPECT_EQ(Get("?since=1m&tail=1").body, "");
}

TEST_F(Logs, RefuseWhatTheyDoNotUnderstand) {
  for (std::string_view query : {"?offset=-1", "?tail=all", "?limit=0", "?since=soon",
                                 "?sinceTime=yesterday", "?rank=-1", "?attempt=0"}) {
    EXPECT_EQ(Get(query).status, 400) << query;
  }
  EXPECT_EQ(Get("?timestamps=true").status, 501);
}

TEST_F(Logs, AreThoseOfTheChosenTask) {
  Get("?attempt=3&rank=2");
  EXPECT_EQ(site_.live.last_task.attempt, 3);
  EXPECT_EQ(site_.live.last_task.rank, 2);
  Get("");
  EXPECT_FALSE(site_.live.last_task.attempt.has_value());
}

TEST_F(Logs, PassOnWhatTheEngineSays) {
  site_.live.refusal = Error{Code::kNotFound, "attempt 3 has no log"};
  Response r = Get("?attempt=3");
  EXPECT_EQ(r.status, 404);
  EXPECT_THAT(r.body, HasSubstr("attempt 3 has no log"));
}

TEST(LogsWithoutAnEngine, SayThatNoneRuns) {
  LiveSite site(EngineRoom::kNone);
  Response r = site.admin.Get(site.Path("/logs"));
  EXPECT_EQ(r.status, 503);
  EXPECT_THAT(r.body, HasSubstr("no engine runs on this server"));
}

TEST_F(Logs, AreFollowedUntilTheTaskHasEnded) {
  site_.live.Write("first\n", kLongAgo);
  StreamRecorder recorder;
  http::Reply reply = site_.Ask(site_.Path("/logs?follow=true"));
  ASSERT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "first\n");
  reply.stream(recorder.stream());
  site_.live.Write("second\n", kLongAgo);
  recorder.WaitFor("second\n");
  site_.live.AwaitWatch();
  site_.live.Write("third\n", kLongAgo);
  recorder.WaitFor("third\n");
  site_.live.EndLog();
  EXPECT_EQ(recorder.WaitForEnd(), "second\nthird\n");
  EXPECT_EQ(recorder.ending(), StreamRecorder::Ending::kWhole);
}

TEST_F(Logs, AreFollowedFromATail) {
  site_.live.Write("one\ntwo\n", kLongAgo);
  http::Reply reply = site_.Ask(site_.Path("/logs?follow=true&tail=1"));
  EXPECT_EQ(reply.body, "two\n");
}

TEST_F(Logs, AreReadNoFasterThanTheyAreTaken) {
  StreamRecorder slow(StreamRecorder::Pace::kSlow);
  http::Reply reply = site_.Ask(site_.Path("/logs?follow=true"));
  reply.stream(slow.stream());
  site_.live.Write(std::string(3'000'000, 'x'), kLongAgo);
  site_.live.EndLog();
  slow.Take();
  slow.WaitFor("x");
  std::size_t first = slow.size();
  EXPECT_LT(first, 1'000'000U);
  while (slow.Take()) {
  }
  EXPECT_EQ(slow.WaitForEnd().size(), 3'000'000U);
}

TEST_F(Logs, AreNotWatchedForAReaderThatLeft) {
  StreamRecorder recorder;
  http::Reply reply = site_.Ask(site_.Path("/logs?follow=true"));
  reply.stream(recorder.stream());
  site_.live.AwaitWatch();
  recorder.Leave();
  recorder.WaitForEnd();
  site_.live.AwaitNoWatch();
  EXPECT_EQ(site_.live.watches(), 0U);
}

TEST(Span, IsANumberWithAUnit) {
  EXPECT_EQ(serve::ParseSpan("90"), Seconds(90));
  EXPECT_EQ(serve::ParseSpan("90s"), Seconds(90));
  EXPECT_EQ(serve::ParseSpan("5m"), Minutes(5));
  EXPECT_EQ(serve::ParseSpan("2h"), Hours(2));
  EXPECT_EQ(serve::ParseSpan("1d"), Days(1));
  for (std::string_view bad : {"", "m", "-1s", "1w", "1.5h", "9999999999d"}) {
    EXPECT_FALSE(serve::ParseSpan(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace yard::api
