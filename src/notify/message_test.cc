#include "notify/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "base/json.h"

namespace yard::notify {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Time kAt{1'794'747'600'000'000};  // Sunday, 15 November 2026, 13:00:00 UTC

Delivery Failed(std::string name) {
  Delivery delivery{.event = NotifyEvent::kFailed, .at = kAt};
  delivery.workload = WorkloadId{};
  delivery.workload_name = std::move(name);
  delivery.project_name = "vision";
  delivery.user_name = "ann@lab.org";
  delivery.reason = "Exit";
  delivery.message = "Exited with code 3.";
  return delivery;
}

TEST(Message, AWebhookSaysWhatHappenedToWhomAndWhere) {
  Result<json::value> body = ParseJson(WebhookBody(Failed("resnet"), "https://yard.lab.org"));
  ASSERT_TRUE(body.has_value());
  EXPECT_EQ(body->at("event").as_string(), "Failed");
  EXPECT_EQ(body->at("subject").as_string(), "resnet has failed");
  EXPECT_EQ(body->at("workload").at("projectName").as_string(), "vision");
  EXPECT_EQ(body->at("message").as_string(), "Exited with code 3.");
  EXPECT_EQ(body->at("link").as_string(),
            "https://yard.lab.org/workloads/00000000-0000-0000-0000-000000000000");
}

TEST(Message, SlackSeesNoMarkupAndNoMention) {
  Delivery delivery = Failed("<!channel> *x* <http://evil|click>");
  Result<json::value> body = ParseJson(SlackBody(delivery, ""));
  ASSERT_TRUE(body.has_value());
  std::string text(body->at("text").as_string());
  EXPECT_THAT(text, HasSubstr("&lt;!channel&gt; *x* &lt;http://evil|click&gt; has failed"));
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_FALSE(body->at("mrkdwn").as_bool());
}

TEST(Message, AMailIsPlainTextWithAllItsHeaders) {
  std::string text = MailText(Failed("resnet"), "", {"yard@lab.org", "ann@lab.org", kAt});
  EXPECT_THAT(text, HasSubstr("From: Gpuyard <yard@lab.org>\r\nTo: <ann@lab.org>\r\n"));
  EXPECT_THAT(text, HasSubstr("\r\nSubject: [Gpuyard] resnet has failed\r\n"));
  EXPECT_THAT(text, HasSubstr("\r\nDate: Sun, 15 Nov 2026 13:00:00 +0000\r\n"));
  EXPECT_THAT(text, HasSubstr("\r\nContent-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_THAT(text, EndsWith("\r\n"));
  EXPECT_THAT(text, Not(HasSubstr("Exited")));  // the body is encoded
}

TEST(Message, NoNameBecomesAHeaderOfItsOwn) {
  std::string word = HeaderWord("x\r\nBcc: all@lab.org");
  EXPECT_THAT(word, Not(HasSubstr("Bcc")));
  EXPECT_THAT(word, testing::StartsWith("=?UTF-8?B?"));
  EXPECT_EQ(HeaderWord("plain words"), "plain words");
}

TEST(Message, ALongHeaderIsFoldedBetweenCharacters) {
  std::string word = HeaderWord(std::string(39, 'a') + "é" + std::string(60, 'b'));
  for (std::size_t begin = 0, end = 0; begin < word.size(); begin = end + 2) {
    end = std::min(word.find("\r\n", begin), word.size());
    EXPECT_LE(end - begin, 76U);
  }
  // The first word ends before the character that does not fit: 39 bytes, 52 in base64.
  EXPECT_EQ(word.find("?=\r\n "), 10U + 52U);
}

TEST(Message, SaysHowLongItRanAndWhatItSaidLast) {
  Delivery delivery{.event = NotifyEvent::kFailed, .workload_name = "train"};
  delivery.ran = "12 m 3 s on gpu1";
  delivery.last_lines = "step 7\nCUDA out of memory";
  std::string body = SlackBody(delivery, "");
  EXPECT_NE(body.find("Ran: 12 m 3 s on gpu1"), std::string::npos) << body;
  EXPECT_NE(body.find("CUDA out of memory"), std::string::npos) << body;
}

TEST(Message, SaysWhatWasLeftOut) {
  Delivery delivery = Failed("resnet");
  delivery.left_out = 12;
  EXPECT_THAT(SlackBody(delivery, ""), HasSubstr("12 further events are left out"));
}

}  // namespace
}  // namespace yard::notify
