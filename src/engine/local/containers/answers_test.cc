#include "engine/local/containers/answers.h"

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

namespace yard::engine::containers {
namespace {

TEST(Answers, ReadPodmanAndDockerApart) {
  json::value podman = *ParseJson(
      R"({"Components":[{"Name":"Podman Engine"}],"Version":"4.3.1","ApiVersion":"1.41"})");
  json::value info =
      *ParseJson(R"({"CgroupDriver":"cgroupfs","SecurityOptions":["name=seccomp"]})");
  EXPECT_EQ(ReadDaemon(podman, info).kind, DaemonKind::kPodman);
  EXPECT_EQ(ReadDaemon(podman, info).cgroups, CgroupDriver::kFiles);
  json::value docker = *ParseJson(R"({"Components":[{"Name":"Engine"}],"Version":"20.10.24"})");
  info = *ParseJson(R"({"CgroupDriver":"systemd","SecurityOptions":["name=rootless"]})");
  EXPECT_EQ(ReadDaemon(docker, info).kind, DaemonKind::kDocker);
  EXPECT_EQ(ReadDaemon(docker, info).cgroups, CgroupDriver::kSystemd);
  EXPECT_TRUE(ReadDaemon(docker, info).rootless);
}

TEST(Answers, ReadAContainerThatRanOutOfMemory) {
  ContainerFacts facts = ReadContainer(*ParseJson(R"({"Id":"x","Name":"/n","State":{
      "Status":"exited","Pid":0,"ExitCode":137,"OOMKilled":true,
      "StartedAt":"2026-11-15T06:58:39.244985652Z","FinishedAt":"0001-01-01T00:00:00Z"},
      "NetworkSettings":{"IPAddress":"","Networks":{"bridge":{"IPAddress":"10.88.0.2"}}},
      "Config":{"Labels":{"a":"b"}}})"));
  EXPECT_EQ(facts.name, "n");
  EXPECT_EQ(facts.state, ContainerState::kEnded);
  EXPECT_EQ(facts.exit_code, 137);
  EXPECT_TRUE(facts.out_of_memory);
  EXPECT_EQ(facts.address, "10.88.0.2");
  EXPECT_TRUE(facts.started_at);
  EXPECT_FALSE(facts.ended_at) << "the zero time means never";
  EXPECT_EQ(facts.labels.size(), 1U);
}

TEST(Answers, KeepTheDaemonsOwnWordsOfARefusal) {
  EXPECT_EQ(Refusal({404, R"({"message":"no such image","cause":"x"})"}).message, "no such image");
  EXPECT_EQ(Refusal({404, R"({"message":"no such image"})"}).code, Code::kNotFound);
  EXPECT_EQ(Refusal({500, "plain words\n"}).message, "plain words");
  EXPECT_EQ(Refusal({502, ""}).message, "the container daemon answered with 502");
}

TEST(Answers, TakeThatItIsSoAlreadyForSuccess) {
  EXPECT_TRUE(AcceptEmpty(Reply{304, ""}));
  EXPECT_TRUE(AcceptEmpty(Reply{204, ""}));
  EXPECT_EQ(AcceptEmpty(Reply{409, R"({"message":"in use"})"}).error().code, Code::kConflict);
}

}  // namespace
}  // namespace yard::engine::containers
