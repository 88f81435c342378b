#include "engine/local/containers/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::engine::containers {
namespace {

using ::testing::HasSubstr;

TEST(ImageName, GetsTheTagLatestWhenItHasNeitherTagNorDigest) {
  EXPECT_EQ(*FullName("python"), "python:latest");
  EXPECT_EQ(*FullName("registry.lab:5000/team/image"), "registry.lab:5000/team/image:latest");
  EXPECT_EQ(*FullName("python:3.12"), "python:3.12");
  EXPECT_EQ(*FullName("a/b@sha256:0011"), "a/b@sha256:0011");
}

TEST(ImageName, ThatIsNoneIsRefusedWithTheReason) {
  EXPECT_THAT(FullName("").error().message, HasSubstr("it is empty"));
  EXPECT_THAT(FullName("a b").error().message, HasSubstr("wrong character"));
  EXPECT_THAT(FullName("a/").error().message, HasSubstr("last part"));
  EXPECT_THAT(FullName("a:").error().message, HasSubstr("tag"));
  EXPECT_THAT(FullName("Python:3").error().message, HasSubstr("small letters"));
  EXPECT_TRUE(FullName("Registry.Lab/python:A")) << "registries and tags may have capitals";
}

TEST(ImageName, PointsToItsRegistry) {
  EXPECT_EQ(RegistryOf("python"), "docker.io");
  EXPECT_EQ(RegistryOf("team/python"), "docker.io");
  EXPECT_EQ(RegistryOf("localhost/python"), "localhost");
  EXPECT_EQ(RegistryOf("registry.lab:5000/a/b"), "registry.lab:5000");
}

TEST(RegistryAuth, IsUrlSafeBase64OfTheCredentials) {
  EXPECT_EQ(RegistryAuth("r.lab/a", "u", "p\"~?"),
            "eyJ1c2VybmFtZSI6InUiLCJwYXNzd29yZCI6InBcIn4_Iiwic2VydmVyYWRkcmVzcyI6InIubGFiIn0=");
}

}  // namespace
}  // namespace yard::engine::containers
