#include "control/auth/tool_pass.h"

#include <gtest/gtest.h>

namespace yard::control {
namespace {

using Kind = ToolPass::Kind;

const TokenKey kKey({7});
constexpr Time kNow{1'000'000'000};

ToolPass Example(Kind kind) {
  return {.kind = kind,
          .user = *ParseUuid("11111111-1111-4111-8111-111111111111"),
          .epoch = 3,
          .workload = *ParseUuid("22222222-2222-4222-8222-222222222222"),
          .number = 9,
          .expires_at = kNow + kToolCodeLifetime};
}

TEST(ToolPass, ComesBackAsItWasIssued) {
  auto pass = VerifyToolPass(kKey, Kind::kCode, IssueToolPass(kKey, Example(Kind::kCode)), kNow);
  ASSERT_TRUE(pass.has_value());
  EXPECT_EQ(pass->user, Example(Kind::kCode).user);
  EXPECT_EQ(pass->workload, Example(Kind::kCode).workload);
  EXPECT_EQ(pass->epoch, 3);
  EXPECT_EQ(pass->number, 9u);
}

TEST(ToolPass, OfOneKindIsNotOfTheOther) {
  std::string code = IssueToolPass(kKey, Example(Kind::kCode));
  std::string ticket = IssueToolPass(kKey, Example(Kind::kTicket));
  EXPECT_FALSE(VerifyToolPass(kKey, Kind::kTicket, code, kNow).has_value());
  EXPECT_FALSE(VerifyToolPass(kKey, Kind::kCode, ticket, kNow).has_value());
}

TEST(ToolPass, AndTokensOfTheApiDoNotPassForEachOther) {
  std::string ticket = IssueToolPass(kKey, Example(Kind::kTicket));
  EXPECT_FALSE(VerifyToken(kKey, ticket).has_value());
  std::string access = IssueToken(
      kKey,
      {.subject = Example(Kind::kTicket).user, .issued_at = kNow, .expires_at = kNow + Hours(1)});
  EXPECT_FALSE(VerifyToolPass(kKey, Kind::kTicket, access, kNow).has_value());
}

TEST(ToolPass, IsRefusedWhenOverOrChangedOrOfAnotherServer) {
  std::string ticket = IssueToolPass(kKey, Example(Kind::kTicket));
  EXPECT_FALSE(VerifyToolPass(kKey, Kind::kTicket, ticket, kNow + kToolCodeLifetime).has_value());
  EXPECT_FALSE(VerifyToolPass(TokenKey({8}), Kind::kTicket, ticket, kNow).has_value());
  for (std::size_t at : {std::size_t{6}, ticket.size() / 2, ticket.size() - 2}) {
    std::string changed = ticket;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(VerifyToolPass(kKey, Kind::kTicket, changed, kNow).has_value()) << at;
  }
  EXPECT_FALSE(VerifyToolPass(kKey, Kind::kTicket, "gyp1.", kNow).has_value());
}

}  // namespace
}  // namespace yard::control
