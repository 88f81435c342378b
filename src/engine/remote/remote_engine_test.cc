// The contract of engines for one in another process, here in another thread, and what the side
// with the privileges refuses.
#include "engine/remote/remote_engine.h"

#include <sys/socket.h>
#include <unistd.h>

#include <list>
#include <thread>

#include <gmock/gmock.h>

#include "engine/local/local_host.h"
#include "engine/remote/calls.h"
#include "engine/remote/messages.h"
#include "engine/remote/serve_engine.h"

namespace yard::engine::testing {
namespace {

using ::testing::HasSubstr;

struct Ends {
  UniqueFd ours, theirs;
};

Ends MakeEnds() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

class RemoteHost final : public LocalHost {
 public:
  ~RemoteHost() override { Join(); }

  std::unique_ptr<Engine> Open() override {
    Join();
    Ends ends = MakeEnds();
    ServedEngine served{.open = [this] { return LocalHost::Open(); },
                        .resolve_path = [](const std::string& path) { return path; },
                        .closed = {"/closed"},
                        .rules = rules};
    serving_ = std::jthread([control = std::move(ends.theirs), served]() mutable {
      ServeEngine(std::move(control), served);
    });
    auto engine = RemoteEngine::Open(std::move(ends.ours), nullptr);
    EXPECT_TRUE(engine) << engine.error().message;
    return *std::move(engine);
  }
  std::vector<std::string> Leftovers() const override {
    const_cast<RemoteHost*>(this)->Join();
    return LocalHost::Leftovers();
  }

  remote::TaskRules rules = {
      .check_account =
          [](const Account& account) {
            return account.uid == 61'001 ? Status() : Fail(Code::kForbidden, "not that account");
          },
      .no_account = remote::TaskRules::NoAccount::kIsRoot,
      .closed = {"/srv/keys"}};

 private:
  void Join() {
    if (serving_.joinable()) serving_.join();
  }
  std::jthread serving_;
};

const auto kRemote =
    ::testing::Values(Subject{"remote", [] { return std::make_unique<RemoteHost>(); }});

INSTANTIATE_TEST_SUITE_P(Remote, Conformance, kRemote, SubjectName);
INSTANTIATE_TEST_SUITE_P(Remote, ProcessConformance, kRemote, SubjectName);

class RemoteTest : public Conformance {
 protected:
  Error RefusalOf(TaskSpec spec) {
    spec.key = NewKey();
    const Status launched = engine().Launch(std::move(spec));
    return launched ? Error{Code::kInternal, "it was taken"} : launched.error();
  }
  RemoteEngine& remote() { return dynamic_cast<RemoteEngine&>(engine()); }
};

INSTANTIATE_TEST_SUITE_P(Remote, RemoteTest, kRemote, SubjectName);

TEST_P(RemoteTest, TellsWhatMayNotBeMounted) {
  EXPECT_EQ(remote().closed_folders(), std::vector<std::string>{"/closed"});
  EXPECT_EQ(remote().ResolvePath("/somewhere").value_or(""), "/somewhere");
}

TEST_P(RemoteTest, RunsNothingAsAnAccountThatMayNot) {
  TaskSpec spec = host().Shell("id");
  spec.account = Account{1234, 1234, {}};
  EXPECT_THAT(RefusalOf(spec).message, HasSubstr("not that account"));
  for (const Account& account : {Account{0, 0, {}}, Account{61'001, 61'001, {0}}}) {
    spec.account = account;
    EXPECT_THAT(RefusalOf(spec).message, HasSubstr("the system's user"));
  }
}

TEST_P(RemoteTest, MountsNoFolderOfTheSystemOrTheServer) {
  TaskSpec spec = host().Shell("id");
  for (const char* path : {"/", "/etc", "/boot/x", "/srv", "/srv/keys/vault", "/srv/../etc"}) {
    spec.mounts = {{MountKind::kHostPath, path, "/mnt/in", false}};
    EXPECT_EQ(RefusalOf(spec).code, Code::kForbidden) << path;
  }
}

TEST_P(RemoteTest, FollowsLinksBeforeItLooksAtAFolder) {
  const std::string link =
      dynamic_cast<RemoteHost&>(const_cast<Host&>(host())).options().root + "-link";
  ASSERT_EQ(::symlink("/etc", link.c_str()), 0);
  TaskSpec spec = host().Shell("id");
  spec.mounts = {{MountKind::kHostPath, link, "/mnt/in", true}};
  EXPECT_THAT(RefusalOf(spec).message, HasSubstr("reaches /etc"));
  ::unlink(link.c_str());
}

// What a server that was taken over could send.
class RemoteLine : public ::testing::Test {
 protected:
  RemoteLine() {
    Ends control = MakeEnds();
    ServedEngine served{.open = [] { return Fail(Code::kUnavailable, "no engine in this test"); },
                        .resolve_path = [](const std::string& path) { return path; },
                        .closed = {},
                        .rules = {}};
    serving_ = std::jthread([theirs = std::move(control.theirs), served]() mutable {
      ServeEngine(std::move(theirs), served);
    });
    control_ = std::move(control.ours);
    Ends line = MakeEnds();
    const int given = line.theirs.get();
    EXPECT_TRUE(remote::Send(control_.get(), "line", std::span(&given, 1)));
    line_ = std::move(line.ours);
  }
  ~RemoteLine() override { control_.Reset(); }

  std::optional<remote::Message> Answer(std::string_view request) {
    EXPECT_TRUE(remote::Send(line_.get(), request));
    return remote::Receive(line_.get());
  }
  static std::string Words(auto... values) {
    remote::ValueWriter out;
    out(values...);
    return out.Take();
  }

  std::jthread serving_;
  UniqueFd control_;
  UniqueFd line_;
};

TEST_F(RemoteLine, AnUnknownCallEndsTheLine) {
  EXPECT_FALSE(Answer(Words(std::int64_t{4711})));
}

TEST_F(RemoteLine, NothingIsDoneBeforeTheEngineIsOpen) {
  EXPECT_FALSE(Answer(Words(remote::CallKind::kForget, TaskKey())));
}

TEST_F(RemoteLine, AnEngineThatDoesNotOpenSaysWhy) {
  const Ends events = MakeEnds();
  const int given = events.theirs.get();
  ASSERT_TRUE(remote::Send(line_.get(), Words(remote::CallKind::kOpen), std::span(&given, 1)));
  const std::optional<remote::Message> answer = remote::Receive(line_.get());
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->bytes, HasSubstr("no engine in this test"));
}

}  // namespace
}  // namespace yard::engine::testing
