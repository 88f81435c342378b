#include "cli/submit/venv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::cli {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Venv, AnActivatedOneGoesAlongWithThePathThatLeadsToIt) {
  auto venv = FindVenv({{"HOME", "/home/ann"},
                        {"VIRTUAL_ENV", "/home/ann/v"},
                        {"PATH", "/home/ann/v/bin:/usr/bin"}});
  ASSERT_TRUE(venv);
  EXPECT_EQ(venv->folder, "/home/ann/v");
  EXPECT_THAT(venv->variables, ElementsAre(Pair("VIRTUAL_ENV", "/home/ann/v"),
                                           Pair("PATH", "/home/ann/v/bin:/usr/bin")));
}

TEST(Venv, CondaHasOneTooAndAVenvInsideItComesFirst) {
  std::vector<std::pair<std::string, std::string>> conda = {{"CONDA_PREFIX", "/opt/conda"},
                                                            {"CONDA_DEFAULT_ENV", "base"},
                                                            {"PATH", "/opt/conda/bin:/bin"}};
  EXPECT_EQ(FindVenv(conda)->folder, "/opt/conda");
  conda.emplace_back("VIRTUAL_ENV", "/v");
  EXPECT_EQ(FindVenv(conda)->folder, "/opt/conda") << "PATH does not lead to the venv";
  conda[2].second = "/v/bin:/opt/conda/bin:/bin";
  EXPECT_EQ(FindVenv(conda)->folder, "/v");
}

TEST(Venv, WithoutAnActivatedOneNothingGoesAlong) {
  EXPECT_FALSE(FindVenv({{"PATH", "/usr/bin"}}));
  EXPECT_FALSE(FindVenv({{"VIRTUAL_ENV", "/gone"}, {"PATH", "/usr/bin"}}));
}

}  // namespace
}  // namespace yard::cli
