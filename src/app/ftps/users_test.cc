#include "app/ftps/users.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/ftps/config.h"
#include "app/ftps/layout.h"

namespace yard::app::ftps {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kAnn = "vision-1:$6$a$b:1000:1000::/files/7:/bin/false\n";
constexpr const char* kSam = "speech-1:$6$c$d:1001:1001::/files/8:/bin/false\n";

TEST(FtpsUsers, AreReadWithTheirFolder) {
  const auto users = ReadUsers(std::string(kAnn) + kSam);
  ASSERT_EQ(users.size(), 2U);
  EXPECT_EQ(users.at("speech-1").id, 1001U);
  EXPECT_EQ(users.at("speech-1").folder, "8");
}

TEST(FtpsUsers, OfOtherIdsFoldersAndNamesAreNone) {
  for (const char* line :
       {"root:h:0:0::/files/7:/bin/false", "low:h:999:999::/files/7:/bin/false",
        "high:h:2999:2999::/files/7:/bin/false", "up:h:1000:1000::/files/..:/bin/false",
        "deep:h:1000:1000::/files/7/x:/bin/false", "etc:h:1000:1000::/etc:/bin/false",
        "none:h:1000:1000::/files/:/bin/false", "-s:h:1000:1000::/files/7:/bin/false",
        "a b:h:1000:1000::/files/7:/bin/false", ":h:1000:1000::/files/7:/bin/false",
        "short:h:1000:1000", "", "more:h:1000:1000::/files/7:/bin/false:x",
        "long:h:1000:1000::/files/1234567890123456789:/bin/false"})
    EXPECT_THAT(ReadUsers(line), IsEmpty()) << line;
}

TEST(FtpsUsers, EndWhenTheirLineGoesOrChanges) {
  const auto before = ReadUsers(std::string(kAnn) + kSam);
  EXPECT_THAT(Ended(before, before), IsEmpty());
  EXPECT_THAT(Ended(before, ReadUsers(kSam)), ElementsAre("vision-1"));
  const auto renewed =
      ReadUsers("vision-1:$6$a$x:1000:1000::/files/7:/bin/false\n" + std::string(kSam));
  EXPECT_THAT(Ended(before, renewed), ElementsAre("vision-1"));
  EXPECT_THAT(Ended(ReadUsers(kSam), before), IsEmpty());
}

TEST(FtpsConfig, BoundsIdsAndFoldersAndWantsTls) {
  const std::string text = ConfigOf({"192.0.2.7", 2121, 2122, 2221}, KeyKind::kEc);
  for (const char* line :
       {"AuthUserFile /users/users id 1000-2998 home ^/files/[0-9]+$\n", "TLSRequired on\n",
        "DefaultRoot ~\n", "RootRevoke on\n", "DefaultAddress 192.0.2.7\n", "SocketBindTight on\n",
        "PassivePorts 2122 2221\n", "TLSECCertificateKeyFile /users/ec.key\n"})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(text, Not(HasSubstr("TLSRSA")));
  EXPECT_THAT(ConfigOf({"0.0.0.0", 2121, 2122, 2221}, KeyKind::kRsa),
              HasSubstr("SocketBindTight off\n"));
}

TEST(FtpsIds, LieBelowThoseOfContainersAndTheServer) {
  EXPECT_LT(kFirstId + kIds, 0x6fff'ffffU);
  EXPECT_LE(kFirstProject + kMostProjects, kReader);
}

}  // namespace
}  // namespace yard::app::ftps
