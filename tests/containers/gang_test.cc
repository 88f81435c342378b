// The ranks of a gang in containers of a real daemon.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/uuid.h"
#include "tests/containers/lab.h"
#include "tests/containers/workbench.h"

namespace yard::engine::containers {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// All networks of the daemon, in its own words.
std::string NetworksOf(const std::string& socket) {
  const std::string command = fmt::format("curl -s --unix-socket {} http://d/networks", socket);
  std::unique_ptr<FILE, int (*)(FILE*)> said(::popen(command.c_str(), "r"), ::pclose);
  return said ? lab::ReadUntilEnd(::fileno(said.get())) : std::string();
}

// Each rank serves a page and reads that of the other, by its name.
TEST(ContainerGang, RanksFindEachOtherByName) {
  lab::Workbench bench;
  std::vector<TaskKey> keys;
  const TaskKey first = bench.NewKey();
  for (std::int32_t rank : {0, 1}) {
    TaskSpec spec =
        bench.Shell(fmt::format("echo page of {0} > /tmp/page; httpd -p 8080 -h /tmp; "
                                "until wget -qO- http://dd-{1}:8080/page; do sleep 0.1; done; "
                                "touch /gang/{0}; until [ -e /gang/{1} ]; do sleep 0.1; done",
                                rank, 1 - rank));
    spec.key = {first.attempt, rank};
    spec.title = "vision/dd";
    spec.together = {0, 1};
    spec.mounts = {{MountKind::kVolume, "gang", "/gang"}};
    keys.push_back(bench.Launch(spec));
  }
  for (const TaskKey& key : keys) {
    const TaskEnd end = bench.AwaitEnd(key);
    EXPECT_EQ(end.cause, EndCause::kCompleted) << end.message << bench.LogOf(key);
    EXPECT_THAT(bench.LogOf(key), HasSubstr(fmt::format("page of {}", 1 - key.rank)));
  }
  const std::string networks = NetworksOf(lab::Socket());
  EXPECT_THAT(networks, HasSubstr("Name"));
  EXPECT_THAT(networks, Not(HasSubstr(FormatUuid(first.attempt.value))));
  EXPECT_THAT(bench.Leftovers(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace yard::engine::containers
