#include "cli/cluster/facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cluster/names.h"
#include "cli/cluster/testing/hosts.h"

namespace yard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Said(const std::string& more) {
  return "time 1000\nnode gpu1\nssh 10.0.0.9 40000 10.0.0.1 22\nsystem  debian 12\ncpus 8\n"
         "topology 1 4 2\nmemory 64000\n" +
         more + "\nend\n";
}

TEST(Facts, AHostSaysWhatItIs) {
  const HostFacts host = *ParseFacts(
      "one", Said("gpu /dev/nvidia0\ngpu /dev/nvidia1\ngpu-model 40960 NVIDIA A100-SXM4-40GB\n"
                  "groups v1\npackage munge 0.5\ndaemon munged\naccount 2000 2000\n"
                  "file slurm.conf ClusterName=lab\nfile slurm.conf \ncurrent slurmd"));
  EXPECT_EQ(host.node, "gpu1");
  EXPECT_EQ(host.address, "10.0.0.1");
  EXPECT_EQ(host.cores, 4);
  EXPECT_THAT(host.gpus, ElementsAre(HostGpu{"/dev/nvidia0", "a100-sxm4-40gb", 40960},
                                     HostGpu{"/dev/nvidia1", "a100-sxm4-40gb", 40960}));
  EXPECT_EQ(host.groups, ControlGroups::kV1);
  EXPECT_TRUE(host.Has("munge") && host.Runs("munged") && host.current.contains("slurmd"));
  EXPECT_EQ(host.account->uid, 2000);
  EXPECT_EQ(host.files.at("slurm.conf"), "ClusterName=lab\n\n");
}

TEST(Facts, TheDriverTellsGpusOfOneHostApart) {
  const HostFacts host = *ParseFacts(
      "one",
      Said("gpu /dev/nvidia0\ngpu /dev/nvidia1\ngpu-minor 0 NVIDIA H200\ngpu-minor 1 NVIDIA L4\n"
           "gpu-model 143771 NVIDIA H200\ngpu-model 23034 NVIDIA L4"));
  EXPECT_THAT(host.gpus, ElementsAre(HostGpu{"/dev/nvidia0", "h200", 143771},
                                     HostGpu{"/dev/nvidia1", "l4", 23034}));
}

TEST(Facts, GpusThatNobodyNamesHaveNoType) {
  const HostFacts host =
      *ParseFacts("one", Said("gpu /dev/nvidia0\ngpu-model 1 NVIDIA A\ngpu-model 2 NVIDIA B"));
  EXPECT_THAT(host.gpus, ElementsAre(HostGpu{"/dev/nvidia0", "", 0}));
}

TEST(Facts, AnAnswerThatBrokeOffIsRefused) {
  const std::string whole = Said("groups v1");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(ParseFacts("one", whole.substr(0, size))) << size;
  EXPECT_TRUE(ParseFacts("one", whole));
}

TEST(Facts, WhatWouldMeanMoreInSettingsIsRefused) {
  for (const char* line :
       {"node gpu1 Gres=gpu:9", "node -x", "node localhost", "ssh a b 10.0.0.1;x 22",
        "gpu /dev/sda", "gpu /dev/nvidia0 Count=9", "cpus -1", "cpus 1e9", "folder-id ../../etc",
        "stamp A B", "host-key ssh-ed25519 $(id)", "munge-key abc", "topology 1 2",
        "account 0x0 0"})
    EXPECT_FALSE(ParseFacts("one", Said(line))) << line;
}

TEST(Facts, AModelBecomesAPlainWord) {
  const HostFacts host = *ParseFacts(
      "one", Said("gpu /dev/nvidia0\ngpu-model 1 NVIDIA \"X\" Type=y\tFile=/dev/sda\x01"));
  EXPECT_EQ(host.gpus.front().type, "x-type-y-file-dev-sda");
}

TEST(Facts, ProcessorsThatAreOffLeaveTheirNumberAlone) {
  const HostFacts host = *ParseFacts("one", Said("cpus 7"));
  EXPECT_EQ(host.cpus, 7);
  EXPECT_EQ(host.sockets, 0);
}

TEST(Facts, TheMessageNamesTheHostAndShowsPlainText) {
  const auto refused = ParseFacts("one", Said("node a\x1b[2Jb"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("one says 'node a?[2Jb'"));
}

TEST(Names, AreTakenOnlyIfTheyMeanNothingElse) {
  for (const char* host : {"gpu1", "gpu1.lab.org", "10.0.0.1", "a_b-c"})
    EXPECT_TRUE(IsHostName(host));
  for (const char* host :
       {"", "-oProxyCommand=x", "a b", "a;b", "$(x)", "a\nb", "a'b", "u@h", "../x"})
    EXPECT_FALSE(IsHostName(host)) << host;
  for (const char* folder : {"/shared/gpuyard", "/nfs/a.b/c-d"})
    EXPECT_TRUE(IsSharedFolder(folder));
  for (const char* folder : {"/", "x", "/a/../etc", "/a//b", "/a b", "/a'b", "/a/", "/-x", "/a$b"})
    EXPECT_FALSE(IsSharedFolder(folder)) << folder;
  for (const char* account : {"root", "", "0a", "A", "a b", "-a"})
    EXPECT_FALSE(IsAccountName(account));
  for (const char* name : {"local", "Lab", "a/b", "../x", "", "a-"})
    EXPECT_FALSE(IsClusterName(name));
  EXPECT_TRUE(IsPublicKey("ssh-ed25519 AAAAC3Nz/+= gpuyard-lab"));
  EXPECT_FALSE(IsPublicKey("command=\"x\" ssh-ed25519 AAAA"));
}

}  // namespace
}  // namespace yard::cli
