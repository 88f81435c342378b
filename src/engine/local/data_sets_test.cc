#include "engine/local/data_sets.h"

#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

namespace yard::engine {
namespace {

namespace fs = std::filesystem;

TEST(DataSetPath, NamesNothingButAFolderOfAVersion) {
  char name[] = "/tmp/gyd-XXXXXX";
  const std::string all = ::mkdtemp(name);
  const std::string version(64, 'a');
  fs::create_directories(all + "/7/" + version);
  EXPECT_EQ(*DataSetPath(all, "7/" + version), all + "/7/" + version);
  for (const std::string& source :
       {"8/" + version, std::string("7/../../etc"), std::string("7"), "x/" + version,
        "../7/" + version, "7/" + std::string(64, 'Z'), "7/" + version + "/.."})
    EXPECT_FALSE(DataSetPath(all, source)) << source;
  EXPECT_FALSE(DataSetPath("", "7/" + version));
  // Links lead nowhere.
  fs::create_directory_symlink(all + "/7", all + "/9");
  EXPECT_FALSE(DataSetPath(all, "9/" + version));
  fs::create_directory_symlink("/etc", all + "/7/" + std::string(64, 'b'));
  EXPECT_FALSE(DataSetPath(all, "7/" + std::string(64, 'b')));
  fs::remove_all(all);
}

}  // namespace
}  // namespace yard::engine
