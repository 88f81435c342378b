#include "app/server_account.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <thread>

#include <gmock/gmock.h>

namespace yard::app {
namespace {

namespace fs = std::filesystem;

constexpr ServerAccount kServer{61'002, 61'002};

Settings Resolved(NamedTexts flags) {
  SettingSources sources;
  sources.flags = std::move(flags);
  return *ResolveSettings(sources);
}

class ServerAccountTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    char path[] = "/tmp/gpuyard-account-XXXXXX";
    folder_ = ::mkdtemp(path);
    fs::permissions(folder_, fs::perms(0755));
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Data() const { return (folder_ / "data").string(); }
  static uid_t OwnerOf(const fs::path& path) {
    struct stat about{};
    EXPECT_EQ(::lstat(path.c_str(), &about), 0) << path;
    return about.st_uid;
  }
  static void Touch(const fs::path& path) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "x";
  }
  Result<std::optional<ServerAccount>> Choose(NamedTexts flags) const {
    flags["data-dir"] = Data();
    return ServerAccountOf(Resolved(std::move(flags)));
  }

  fs::path folder_;
};

TEST_F(ServerAccountTest, ARootServerGetsAnAccountThatIsNobodyElses) {
  const auto chosen = Choose({});
  ASSERT_TRUE(chosen && *chosen);
  EXPECT_NE((*chosen)->uid, 0U);
  EXPECT_NE((*chosen)->gid, 0U);
}

TEST_F(ServerAccountTest, StaysRootWhereItIsToldTo) {
  EXPECT_FALSE(*Choose({{"server-account", "root"}}));
  EXPECT_FALSE(*Choose({{"native-tasks", "root"}}));
}

TEST_F(ServerAccountTest, RootAndUnknownNamesAreNoAccounts) {
  EXPECT_EQ(Choose({{"server-account", "no-such-account"}}).error().code, Code::kInvalid);
}

TEST_F(ServerAccountTest, AKeyThatItCouldNotReadKeepsAutoRootAndStopsAName) {
  Touch(folder_ / "key.pem");
  fs::permissions(folder_ / "key.pem", fs::perms(0600));
  const std::string key = (folder_ / "key.pem").string();
  EXPECT_FALSE(*Choose({{"tls-key", key}}));
  const auto named = Choose({{"tls-key", key}, {"server-account", "nobody"}});
  ASSERT_FALSE(named);
  EXPECT_THAT(named.error().message, ::testing::HasSubstr("key.pem"));
}

TEST_F(ServerAccountTest, IsGivenANewDataDirectory) {
  ASSERT_TRUE(GiveDataDirectory(Data(), kServer));
  EXPECT_EQ(OwnerOf(Data()), kServer.uid);
  EXPECT_EQ(fs::status(Data()).permissions(), fs::perms(0700));
}

TEST_F(ServerAccountTest, IsGivenTheFilesOfAnEarlierRootServerButNothingBehindLinks) {
  Touch(Data() + "/gpuyard.db");
  Touch(Data() + "/keys/token.key");
  Touch(folder_ / "elsewhere");
  fs::create_symlink(folder_ / "elsewhere", Data() + "/link");
  ASSERT_TRUE(GiveDataDirectory(Data(), kServer));
  EXPECT_EQ(OwnerOf(Data() + "/keys/token.key"), kServer.uid);
  EXPECT_EQ(OwnerOf(folder_ / "elsewhere"), 0U);
}

TEST_F(ServerAccountTest, IsNotGivenAFolderOfSomethingElse) {
  Touch(Data() + "/thesis.tex");
  EXPECT_FALSE(*Choose({}));
  ASSERT_TRUE(GiveDataDirectory(Data(), kServer));
  EXPECT_EQ(OwnerOf(Data()), 0U);
  EXPECT_EQ(OwnerOf(Data() + "/thesis.tex"), 0U);
}

TEST_F(ServerAccountTest, IsNotGivenWhatIsSomebodyElses) {
  Touch(Data() + "/gpuyard.db");
  ASSERT_EQ(::chown((Data() + "/gpuyard.db").c_str(), 61'003, 61'003), 0);
  EXPECT_FALSE(GiveDataDirectory(Data(), kServer));
}

// A server that was taken over might have made the second name, and the first is the system's.
TEST_F(ServerAccountTest, IsNotGivenAFileThatHasAnotherName) {
  Touch(Data() + "/gpuyard.db");
  Touch(folder_ / "shadow");
  fs::create_hard_link(folder_ / "shadow", Data() + "/series.log");
  const Status given = GiveDataDirectory(Data(), kServer);
  ASSERT_FALSE(given);
  EXPECT_NE(given.error().message.find("two names"), std::string::npos) << given.error().message;
  EXPECT_EQ(OwnerOf(folder_ / "shadow"), 0U);
}

// While the server's account exchanges a folder for a link again and again.
TEST_F(ServerAccountTest, IsGivenNothingBehindAFolderThatIsExchanged) {
  Touch(Data() + "/gpuyard.db");
  Touch(folder_ / "system/file");
  Touch(Data() + "/inner/file");
  fs::create_directory_symlink(folder_ / "system", Data() + "/link");
  std::jthread other([this](const std::stop_token& stop) {
    const std::string a = Data() + "/inner";
    const std::string b = Data() + "/link";
    while (!stop.stop_requested())
      ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE);
  });
  for (int i = 0; i < 3000; ++i) {
    EXPECT_EQ(::lchown((Data() + "/inner").c_str(), 0, 0), 0);
    EXPECT_EQ(::lchown((Data() + "/link").c_str(), 0, 0), 0);
    ASSERT_TRUE(GiveDataDirectory(Data(), kServer));
  }
  other.request_stop();
  other.join();
  EXPECT_EQ(OwnerOf(folder_ / "system/file"), 0U);
}

TEST_F(ServerAccountTest, IsGivenADirectoryBehindALink) {
  Touch(folder_ / "disk/gpuyard.db");
  fs::create_directory_symlink(folder_ / "disk", Data());
  ASSERT_TRUE(GiveDataDirectory(Data(), kServer));
  EXPECT_EQ(OwnerOf(folder_ / "disk/gpuyard.db"), kServer.uid);
}

TEST_F(ServerAccountTest, ClosedFoldersOnTheWayAreFound) {
  EXPECT_EQ(ClosedOnTheWay(Data(), kServer), std::nullopt);
  fs::permissions(folder_, fs::perms(0700));
  EXPECT_EQ(ClosedOnTheWay(Data() + "/deeper/data", kServer), folder_.string());
}

}  // namespace
}  // namespace yard::app
