#include "app/settings.h"

#include <gtest/gtest.h>

namespace yard::app {
namespace {

std::string Refusal(const SettingSources& sources) {
  Result<Settings> settings = ResolveSettings(sources);
  return settings ? "accepted" : settings.error().message;
}

TEST(Settings, TheNearestSourceWinsAndIsNamed) {
  SettingSources sources{.file_path = "s.yaml",
                         .file_text = "threads: 4\nlog-level: debug\ntls: off\n",
                         .environment = {{"GPUYARD_LOG_LEVEL", "error"}, {"GPUYARD_TLS", "auto"}},
                         .flags = {{"tls", "off"}}};
  Result<Settings> settings = ResolveSettings(sources);
  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  EXPECT_EQ(settings->Whole("threads"), 4);
  EXPECT_EQ(settings->Find("threads").origin, "s.yaml:1");
  EXPECT_EQ(settings->Text("log-level"), "error");
  EXPECT_EQ(settings->Find("log-level").origin, "env GPUYARD_LOG_LEVEL");
  EXPECT_EQ(settings->Text("tls"), "off");
  EXPECT_EQ(settings->Find("tls").origin, "flag --tls");
  EXPECT_TRUE(settings->IsDefault("retention-days"));
}

TEST(Settings, AnUnknownKeyNamesTheNearestAndItsLine) {
  EXPECT_EQ(Refusal({.file_path = "s.yaml", .file_text = "\nlisen: x\n"}),
            "s.yaml:2: there is no setting 'lisen'; did you mean 'listen'?");
  EXPECT_EQ(Refusal({.environment = {{"GPUYARD_LISTN", "x"}}}),
            "env GPUYARD_LISTN: there is no such setting; did you mean 'GPUYARD_LISTEN'?");
}

TEST(Settings, TypesAndRangesAreChecked) {
  EXPECT_EQ(Refusal({.file_path = "s.yaml", .file_text = "threads: 0\n"}),
            "s.yaml:1: threads: '0' is not a whole number from 1 to 256");
  EXPECT_EQ(Refusal({.flags = {{"tls", "of"}}}),
            "flag --tls: tls: 'of' is not one of off, auto, files; did you mean 'off'?");
  EXPECT_EQ(Refusal({.flags = {{"listen", "8470"}}}),
            "flag --listen: listen: '8470' is not HOST:PORT");
  EXPECT_EQ(Refusal({.file_path = "s.yaml", .file_text = "threads: [1]\n"}),
            "s.yaml:1: threads must be a single value");
}

TEST(Settings, ClustersAreReadFromTheFile) {
  Result<Settings> settings =
      ResolveSettings({.file_path = "s.yaml",
                       .file_text = "clusters:\n  institute:\n    engine: slurm\n"
                                    "    folder: /shared\n    ssh-port: 2222\n"});
  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  ASSERT_EQ(settings->clusters().size(), 1U);
  const ClusterSettings& one = settings->clusters().front();
  EXPECT_EQ(one.name, "institute");
  EXPECT_EQ(one.Text("engine"), "slurm");
  EXPECT_EQ(one.Text("ssh-port"), "2222");
  EXPECT_EQ(one.Text("partition"), "");
}

TEST(Settings, AClustersOptionsAreChecked) {
  auto refusal = [](const std::string& lines) {
    return Refusal({.file_path = "s.yaml", .file_text = "clusters:\n" + lines});
  };
  EXPECT_EQ(refusal("  a:\n    engine: slurm\n"), "s.yaml:1: clusters: a: folder is missing");
  EXPECT_EQ(refusal("  a:\n    engine: kube\n"),
            "s.yaml:1: clusters: a: engine 'kube' is not one of slurm, sim");
  EXPECT_EQ(refusal("  a:\n    engine: sim\n    gpu: 1xA:1Gi\n"),
            "s.yaml:1: clusters: 'a' has no option 'gpu'; did you mean 'gpus'?");
  EXPECT_EQ(refusal("  a:\n    engine: slurm\n    folder: /x\n    ssh: -oProxyCommand=x\n"),
            "s.yaml:1: clusters: a: '-oProxyCommand=x' is not a value for ssh");
  EXPECT_EQ(refusal("  A/b:\n    engine: sim\n"), "s.yaml:1: clusters: 'A/b' is not a name");
}

TEST(Settings, BrokenYamlNamesTheFile) {
  EXPECT_TRUE(Refusal({.file_path = "s.yaml", .file_text = "a: ["}).starts_with("s.yaml: line 1"));
}

TEST(Address, HostAndPortAreToldApart) {
  EXPECT_EQ(ParseAddress("127.0.0.1:0")->host, "127.0.0.1");
  EXPECT_EQ(ParseAddress("[::1]:8470")->host, "::1");
  EXPECT_EQ(ParseAddress(":443")->port, 443);
  for (const char* text : {"", "host", "host:", "host:70000", "::1:80", "host:-1"}) {
    EXPECT_FALSE(ParseAddress(text).has_value()) << text;
  }
  EXPECT_TRUE(IsLoopback({"127.0.0.1", 1}));
  EXPECT_FALSE(IsLoopback({"0.0.0.0", 1}));
  EXPECT_FALSE(IsLoopback({"", 1}));
}

}  // namespace
}  // namespace yard::app
