#include "control/service.h"

#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "store/memory_store.h"

namespace yard::control {
namespace {

class ServiceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto store = std::make_unique<store::MemoryStore>();
    store_ = store.get();
    auto service = Service::Start(std::move(store), clock_, random_);
    ASSERT_TRUE(service.has_value());
    service_ = std::move(*service);
  }

  Status PutUser(std::string email) {
    return service_->WriteAndWait(SystemPrincipal(), [email](Txn& txn) -> Status {
      txn.Put(User{.id = UserId{txn.NewUuid()}, .email = email});
      return {};
    });
  }

  ManualClock clock_;
  SeededRandom random_{1};
  store::MemoryStore* store_ = nullptr;
  std::unique_ptr<Service> service_;
};

TEST_F(ServiceTest, AReaderKeepsItsPictureWhileOthersWrite) {
  Snapshot before = service_->Read();
  ASSERT_TRUE(PutUser("a@lab"));
  EXPECT_EQ(before->Of<User>().size(), 0U);
  EXPECT_NE(service_->Read()->UserByEmail("A@LAB"), nullptr);
}

TEST_F(ServiceTest, AFailedCommandLeavesNothingBehind) {
  Status status = service_->WriteAndWait(SystemPrincipal(), [](Txn& txn) -> Status {
    txn.Put(User{.id = UserId{txn.NewUuid()}, .email = "half@lab"});
    txn.Next("project");
    return Fail(Code::kConflict, "no");
  });
  EXPECT_EQ(status.error().code, Code::kConflict);
  EXPECT_EQ(service_->Read()->UserByEmail("half@lab"), nullptr);
  EXPECT_EQ(service_->Read()->Of<Counter>().size(), 0U);
  EXPECT_TRUE(store_->entries().empty());
}

TEST_F(ServiceTest, AFullDiskTakesTheBatchBackAndRecoversByItself) {
  ASSERT_TRUE(PutUser("a@lab"));
  store_->fail_with = Error{Code::kUnavailable, "disk full"};
  EXPECT_EQ(PutUser("b@lab").error().code, Code::kUnavailable);
  EXPECT_EQ(service_->Read()->UserByEmail("b@lab"), nullptr);
  EXPECT_NE(service_->Read()->UserByEmail("a@lab"), nullptr);
  store_->fail_with.reset();
  EXPECT_TRUE(PutUser("b@lab"));
}

TEST_F(ServiceTest, WatchersHearEveryCommittedChangeInOrder) {
  std::vector<std::string> heard;
  auto subscription =
      service_->Watch([&](const Notice& n) { heard.push_back(NameOf(n.change.any())); });
  ASSERT_TRUE(PutUser("a@lab"));
  ASSERT_TRUE(PutUser("b@lab"));
  subscription.reset();
  ASSERT_TRUE(PutUser("c@lab"));
  EXPECT_EQ(heard, (std::vector<std::string>{"a@lab", "b@lab"}));
}

TEST_F(ServiceTest, ManyWritersGetDistinctNumbers) {
  std::vector<std::thread> writers;
  for (int w = 0; w < 8; ++w) {
    writers.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(service_->WriteAndWait(SystemPrincipal(), [](Txn& txn) -> Status {
          txn.Next("project");
          return {};
        }));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(service_->Read()->Find<Counter>("project")->next, 801);
}

TEST(Access, ARuleReachesDownButNotSideways) {
  State state;
  auto put = [&]<class T>(T value) {
    state.Apply({std::nullopt, Object(std::make_shared<const T>(std::move(value)))});
  };
  put(Cluster{.id = ClusterId{}, .name = "local"});
  Department four;
  four.id = DepartmentId{4};
  put(four);
  Project seven;
  seven.id = ProjectId{7};
  seven.department = four.id;
  put(seven);
  Role role{.id = RoleId{1}, .name = "L1 researcher"};
  role.permissions[Resource::kWorkloads] = kAllActions;
  put(role);
  put(AccessRule{.id = AccessRuleId{1},
                 .subject_id = "a@lab",
                 .role = role.id,
                 .scope = Scope::Of(DepartmentId{4})});
  Principal alice{.id = "a@lab"};
  ScopePath in = *state.PathOf(Scope::Of(ProjectId{7}));
  EXPECT_TRUE(Authorize(state, alice, Resource::kWorkloads, Action::kCreate, in));
  EXPECT_FALSE(Authorize(state, alice, Resource::kProject, Action::kRead, in));
  ScopePath out{.cluster = ClusterId{}, .department = DepartmentId{5}};
  EXPECT_EQ(Authorize(state, alice, Resource::kWorkloads, Action::kRead, out).error().code,
            Code::kForbidden);
}

}  // namespace
}  // namespace yard::control
