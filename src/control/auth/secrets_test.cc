#include "control/auth/secrets.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace yard::control {
namespace {

VaultKey Key(std::uint8_t fill) {
  VaultKey key;
  key.fill(fill);
  return key;
}

TEST(Vault, OpensWhatItSealed) {
  SeededRandom random(1);
  Vault vault(Key(7));
  std::string sealed = vault.Seal("hunter2", random);
  EXPECT_EQ(sealed.find("hunter2"), std::string::npos);
  EXPECT_EQ(vault.Open(sealed).value(), "hunter2");
}

TEST(Vault, SealsTheSameSecretDifferentlyEachTime) {
  SeededRandom random(1);
  Vault vault(Key(7));
  EXPECT_NE(vault.Seal("hunter2", random), vault.Seal("hunter2", random));
}

TEST(Vault, RefusesDamageAndOtherKeys) {
  SeededRandom random(1);
  Vault vault(Key(7));
  std::string sealed = vault.Seal("hunter2", random);
  EXPECT_FALSE(Vault(Key(8)).Open(sealed).has_value());
  std::string damaged = sealed;
  damaged[40] = damaged[40] == 'A' ? 'B' : 'A';
  EXPECT_FALSE(vault.Open(damaged).has_value());
  EXPECT_FALSE(vault.Open("short").has_value());
  EXPECT_FALSE(vault.Open("").has_value());
}

class KeyFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "yard-key-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ + "/vault.key"; }

  std::string folder_;
};

TEST_F(KeyFile, IsMadeOnceAndThenRead) {
  SeededRandom random(3);
  VaultKey made = LoadOrMakeKey(path(), random).value();
  EXPECT_EQ(LoadOrMakeKey(path(), random).value(), made);
  struct stat about{};
  ASSERT_EQ(::stat(path().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600);
}

TEST_F(KeyFile, IsRefusedIfOthersMayReadIt) {
  SeededRandom random(3);
  ASSERT_TRUE(LoadOrMakeKey(path(), random).has_value());
  ASSERT_EQ(::chmod(path().c_str(), 0644), 0);
  EXPECT_EQ(LoadOrMakeKey(path(), random).error().code, Code::kForbidden);
}

TEST_F(KeyFile, IsNotMadeAnewWhileSecretsAreSealedWithIt) {
  SeededRandom random(3);
  std::string sealed = Vault(LoadOrMakeKey(path(), random).value()).Seal("secret", random);
  EXPECT_TRUE(LoadOrMakeKey(path(), random, sealed).has_value());
  ASSERT_TRUE(std::filesystem::remove(path()));
  EXPECT_EQ(LoadOrMakeKey(path(), random, sealed).error().code, Code::kPrecondition);
  EXPECT_FALSE(std::filesystem::exists(path()));
  ASSERT_TRUE(LoadOrMakeKey(path(), random).has_value());
  EXPECT_EQ(LoadOrMakeKey(path(), random, sealed).error().code, Code::kPrecondition)
      << "another key opens them no better";
}

TEST_F(KeyFile, IsRefusedIfItIsNotAKey) {
  std::ofstream(path()) << "too short";
  ASSERT_EQ(::chmod(path().c_str(), 0600), 0);
  SeededRandom random(3);
  EXPECT_EQ(LoadOrMakeKey(path(), random).error().code, Code::kInvalid);
}

TEST_F(KeyFile, CannotBeMadeInAFolderThatIsNotThere) {
  SeededRandom random(3);
  EXPECT_EQ(LoadOrMakeKey(folder_ + "/none/vault.key", random).error().code, Code::kUnavailable);
}

}  // namespace
}  // namespace yard::control
