// The client of the Docker-compatible API against a real daemon.
#include "engine/local/containers/daemon.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/local/containers/create.h"
#include "tests/containers/lab.h"

namespace yard::engine::containers {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TaskSpec Shell(const std::string& script) {
  TaskSpec spec;
  spec.container = Container{.image = lab::TestImage()};
  spec.command = {"sh", "-c", script};
  return spec;
}

// A container that is gone at the end of the test.
class Box {
 public:
  Box(const Daemon& daemon, const TaskSpec& spec, const Surroundings& surroundings = {})
      : daemon_(daemon) {
    static int count = 0;
    Result<std::string> id =
        daemon.Create(fmt::format("daemon-test-{}", ++count), CreateBody(spec, surroundings));
    EXPECT_TRUE(id) << id.error().message;
    if (id) id_ = *id;
  }
  ~Box() { EXPECT_TRUE(daemon_.Remove(id_)); }
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;

  const std::string& id() const { return id_; }
  void Start() {
    Status started = daemon_.Start(id_);
    EXPECT_TRUE(started) << started.error().message;
  }
  // Starts it and returns when it has said "ready".
  void StartReady() {
    Result<UniqueFd> stream = daemon_.Attach(id_);
    ASSERT_TRUE(stream) << stream.error().message;
    Start();
    std::string said;
    char buffer[256];
    while (!said.contains("ready")) {
      const ssize_t got = ::read(stream->get(), buffer, sizeof buffer);
      ASSERT_GT(got, 0) << said;
      said.append(buffer, static_cast<std::size_t>(got));
    }
  }
  std::int32_t Run() {
    Start();
    Result<std::int32_t> code = daemon_.Wait(id_);
    EXPECT_TRUE(code) << code.error().message;
    return code.value_or(-1);
  }

 private:
  const Daemon& daemon_;
  std::string id_;
};

std::string ReadAll(int fd) {
  std::string all;
  char buffer[4096];
  for (ssize_t got; (got = ::read(fd, buffer, sizeof buffer)) > 0;)
    all.append(buffer, static_cast<std::size_t>(got));
  return all;
}

class DaemonTest : public ::testing::Test {
 protected:
  Daemon daemon_{lab::Socket()};
};

TEST_F(DaemonTest, SaysWhatItIs) {
  ASSERT_TRUE(daemon_.Ping());
  Result<DaemonFacts> facts = daemon_.Facts();
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->kind, lab::IsPodman() ? DaemonKind::kPodman : DaemonKind::kDocker);
  EXPECT_EQ(facts->cgroups, CgroupDriver::kFiles);
  EXPECT_FALSE(facts->version.empty());
  EXPECT_FALSE(facts->rootless);
}

TEST_F(DaemonTest, ThatIsNotThereIsUnavailableAndSaysWhere) {
  Status ping = Daemon("/nowhere/daemon.sock").Ping();
  ASSERT_FALSE(ping);
  EXPECT_EQ(ping.error().code, Code::kUnavailable);
  EXPECT_THAT(ping.error().message, HasSubstr("/nowhere/daemon.sock"));
}

TEST_F(DaemonTest, KnowsItsImages) {
  auto image = daemon_.FindImage(lab::EntryImage());
  ASSERT_TRUE(image && *image);
  EXPECT_THAT((*image)->entrypoint, ::testing::ElementsAre("/bin/echo", "entry"));
  EXPECT_THAT((*image)->command, ::testing::ElementsAre("image-command"));
  auto none = daemon_.FindImage("localhost/there-is-none:1");
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_FALSE(*none);
}

TEST_F(DaemonTest, PullsFromARegistryAndTellsHowFarItIs) {
  std::vector<std::string> told;
  std::string image = lab::OpenRegistry() + "/big:1";
  Status pulled = daemon_.Pull({.image = image}, [&](const std::string& line) {
    told.push_back(line);
    return true;
  });
  ASSERT_TRUE(pulled) << pulled.error().message;
  ASSERT_FALSE(told.empty());
  EXPECT_THAT(told.front(), StartsWith("pulling image " + image));
  // Podman tells the sizes only now and then, so a quick pull may go without.
  if (!lab::IsPodman()) {
    EXPECT_THAT(told.back(), HasSubstr(" %"));
  }
  auto found = daemon_.FindImage(image);
  EXPECT_TRUE(found && *found);
}

TEST_F(DaemonTest, PullsBehindAPasswordOnlyWithIt) {
  auto quiet = [](const std::string&) { return true; };
  std::string image = lab::LockedRegistry() + "/locked:1";
  EXPECT_FALSE(daemon_.Pull({.image = image}, quiet));
  EXPECT_FALSE(daemon_.Pull({.image = image, .user = "tester", .password = "wrong"}, quiet));
  Status pulled = daemon_.Pull({.image = image, .user = "tester", .password = "secret"}, quiet);
  EXPECT_TRUE(pulled) << pulled.error().message;
}

TEST_F(DaemonTest, RunsAContainerToItsExitCode) {
  Box box(daemon_, Shell("exit 7"));
  EXPECT_EQ(box.Run(), 7);
  Result<ContainerFacts> facts = daemon_.Inspect(box.id());
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->state, ContainerState::kEnded);
  EXPECT_EQ(facts->exit_code, 7);
  EXPECT_TRUE(facts->started_at && facts->ended_at);
}

TEST_F(DaemonTest, RefusesASecondContainerOfTheSameName) {
  TaskSpec spec = Shell("true");
  Result<std::string> first = daemon_.Create("twice", CreateBody(spec, {}));
  ASSERT_TRUE(first) << first.error().message;
  Result<std::string> second = daemon_.Create("twice", CreateBody(spec, {}));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kConflict) << second.error().message;
  EXPECT_TRUE(daemon_.Remove("twice"));
  EXPECT_TRUE(daemon_.Remove("twice")) << "removing what is not there is fine";
}

TEST_F(DaemonTest, FindsContainersByTheirLabel) {
  Box mine(daemon_, Shell("sleep 60"), {.root = "/mine"});
  Box other(daemon_, Shell("sleep 60"), {.root = "/other"});
  Result<std::vector<ContainerFacts>> found = daemon_.List(kRootLabel, "/mine");
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().id, mine.id());
  EXPECT_EQ(found->front().state, ContainerState::kCreated);
}

TEST_F(DaemonTest, KillsAndStops) {
  Box box(daemon_, Shell("trap 'exit 5' TERM; echo ready; while true; do sleep 0.1; done"));
  box.StartReady();
  EXPECT_TRUE(daemon_.Start(box.id())) << "starting again changes nothing";
  EXPECT_TRUE(daemon_.Kill(box.id(), 15));
  EXPECT_EQ(daemon_.Wait(box.id()).value_or(-1), 5);
  Box stubborn(daemon_, Shell("trap '' TERM; echo ready; while true; do sleep 0.1; done"));
  stubborn.StartReady();
  EXPECT_TRUE(daemon_.Stop(stubborn.id(), Seconds(1)));
  EXPECT_EQ(daemon_.Wait(stubborn.id()).value_or(-1), 137);
}

TEST_F(DaemonTest, ExecTakesInputAndAnswersWithAnExitCode) {
  Box box(daemon_, Shell("sleep 60"));
  box.Start();
  ExecOrder order{.command = {"sh", "-c", "cat; echo $A; exit 9"}, .variables = {"A=hello"}};
  order.tty = true;
  Result<std::string> exec = daemon_.CreateExec(box.id(), order);
  ASSERT_TRUE(exec) << exec.error().message;
  Result<UniqueFd> stream = daemon_.StartExec(*exec, order);
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_TRUE(daemon_.ResizeExec(*exec, 30, 100));
  ASSERT_EQ(::write(stream->get(), "typed\n\x04", 7), 7);
  std::string said = ReadAll(stream->get());
  EXPECT_THAT(said, HasSubstr("typed"));
  EXPECT_THAT(said, HasSubstr("hello"));
  Result<ExecFacts> facts = daemon_.InspectExec(*exec);
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_FALSE(facts->running);
  EXPECT_EQ(facts->exit_code, 9);
}

TEST_F(DaemonTest, AttachHearsAllFromTheStart) {
  Box box(daemon_, Shell("echo out; echo err >&2"));
  Result<UniqueFd> stream = daemon_.Attach(box.id());
  ASSERT_TRUE(stream) << stream.error().message;
  box.Start();
  std::string said = ReadAll(stream->get());
  EXPECT_THAT(said, HasSubstr(std::string("\x01\0\0\0\0\0\0\x04out\n", 12)));
  EXPECT_THAT(said, HasSubstr(std::string("\x02\0\0\0\0\0\0\x04"
                                          "err\n",
                                          12)));
}

}  // namespace
}  // namespace yard::engine::containers
