#include "control/ftps/logins.h"

#include <atomic>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/testing/memory_service.h"

namespace yard::control {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class FtpsLoginsTest : public ::testing::Test {
 protected:
  FtpsLoginsTest() {
    Change([&](Txn& txn) {
      txn.Put(Project{{.name = "Vision & Co"}, ProjectId{7}, DepartmentId{1}});
      txn.Put(Project{{.name = "speech"}, ProjectId{8}, DepartmentId{1}});
      txn.Put(User{.id = kAnn, .email = "ann@lab.org"});
      txn.Put(Role{
          .id = kMakes, .name = "makes", .permissions = {{Resource::kDataVolumes, kAllActions}}});
      txn.Put(kRule);
    });
  }

  void Change(const std::function<void(Txn&)>& change) {
    ASSERT_TRUE(service_->WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
      change(txn);
      return {};
    }));
  }
  void Open(std::size_t most_projects = 10) {
    auto opened = FtpsLogins::Open(
        *service_, {.records = kept_,
                    .keep = [this](const std::string& records) -> Status {
                      if (full_) return Fail(Code::kUnavailable, "the disk is full");
                      kept_ = records;
                      return {};
                    },
                    .publish = [this](const std::vector<FtpsEntry>& entries) -> Status {
                      const MutexLock lock(mutex_);
                      published_ = entries;
                      changed_.notify_all();
                      return {};
                    },
                    .hash = [](const std::string& password) -> Result<std::string> {
                      return "$6$" + password;
                    },
                    .random = random_,
                    .most_projects = most_projects,
                    .most_of_one = 2});
    ASSERT_TRUE(opened) << opened.error().message;
    logins_ = *std::move(opened);
  }
  Result<FtpsLogins::Made> Make(ProjectId project = ProjectId{7}) {
    return logins_->Make(kAnn, *service_->Read()->Find<Project>(project));
  }
  std::vector<FtpsEntry> Published() {
    const MutexLock lock(mutex_);
    return published_;
  }
  void AwaitPublished(std::size_t count) {
    MutexLock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(60),
                                  [&] { return published_.size() == count; }));
  }

  static constexpr UserId kAnn{Uuid{{1}}};
  static constexpr RoleId kMakes{900};
  const AccessRule kRule{.id = AccessRuleId{900},
                         .subject_id = "ann@lab.org",
                         .role = kMakes,
                         .scope = Scope::Of(ProjectId{7})};
  ManualClock clock_{Time{Days(20000).value}};
  SeededRandom random_{7};
  std::unique_ptr<Service> service_ = StartInMemory(clock_, random_);
  std::string kept_;
  std::atomic<bool> full_ = false;
  Mutex mutex_;
  CondVar changed_;
  std::vector<FtpsEntry> published_;
  std::unique_ptr<FtpsLogins> logins_;
};

TEST_F(FtpsLoginsTest, ALoginIsPublishedWithItsHashAndTheProjectsNumber) {
  Open();
  EXPECT_THAT(Published(), IsEmpty());
  const auto made = Make();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->login.name.starts_with("vision---co-")) << made->login.name;
  EXPECT_GE(made->password.size(), 16U);
  ASSERT_THAT(Published(), SizeIs(1));
  EXPECT_EQ(Published()[0].hash, "$6$" + made->password);
  EXPECT_EQ(Published()[0].number, 0U);
  EXPECT_EQ(Published()[0].project, ProjectId{7});
}

TEST_F(FtpsLoginsTest, LoginsAndNumbersOutliveTheServer) {
  Open();
  const std::string name = Make()->login.name;
  ASSERT_TRUE(Make(ProjectId{8}));
  logins_.reset();
  published_.clear();
  Open();
  ASSERT_THAT(Published(), SizeIs(1));  // Ann may nothing in the other project
  EXPECT_EQ(Published()[0].name, name);
  ASSERT_THAT(logins_->List(ProjectId{8}), SizeIs(1));
  const FtpsRecords records = *ReadFtpsRecords(kept_);
  EXPECT_EQ(records.numbers.at(ProjectId{8}), 1U);
  EXPECT_EQ(WriteFtpsRecords(records), kept_);
}

TEST_F(FtpsLoginsTest, WhoLosesTheRightIsTakenBackByItself) {
  Open();
  ASSERT_TRUE(Make());
  Change([&](Txn& txn) {
    AccessRule gone = kRule;
    gone.deleted_at = txn.now();
    txn.Put(gone);
  });
  AwaitPublished(0);
  Change([&](Txn& txn) { txn.Put(kRule); });
  AwaitPublished(1);
}

TEST_F(FtpsLoginsTest, ASignOutOfThePersonTakesThemBackForGood) {
  Open();
  ASSERT_TRUE(Make());
  Change([&](Txn& txn) {
    User user = *txn.state().Find<User>(kAnn);
    ++user.session_epoch;
    txn.Put(user);
  });
  AwaitPublished(0);
  ASSERT_TRUE(Make());
  EXPECT_THAT(Published(), SizeIs(1));
}

TEST_F(FtpsLoginsTest, APersonWhoIsGoneAndAProjectThatIsGoneHaveNone) {
  Open();
  ASSERT_TRUE(Make());
  Change([&](Txn& txn) { txn.Erase<Project>(ProjectId{7}); });
  AwaitPublished(0);
  Change([&](Txn& txn) {
    txn.Put(Project{{.name = "vision"}, ProjectId{7}, DepartmentId{1}});
    txn.Erase<User>(kAnn);
  });
  EXPECT_THAT(Published(), IsEmpty());
  EXPECT_EQ(Make().error().code, Code::kNotFound);
}

TEST_F(FtpsLoginsTest, RemovalIsOfItsProjectAlone) {
  Open();
  const std::string name = Make()->login.name;
  EXPECT_EQ(logins_->Remove(ProjectId{8}, name).error().code, Code::kNotFound);
  ASSERT_TRUE(logins_->Remove(ProjectId{7}, name));
  EXPECT_THAT(Published(), IsEmpty());
  EXPECT_EQ(logins_->Remove(ProjectId{7}, name).error().code, Code::kNotFound);
}

TEST_F(FtpsLoginsTest, AreBoundedForAPersonAndForTheMachine) {
  Open(1);
  ASSERT_TRUE(Make());
  ASSERT_TRUE(Make());
  EXPECT_EQ(Make().error().code, Code::kConflict);
  EXPECT_EQ(Make(ProjectId{8}).error().code, Code::kUnavailable);
}

TEST_F(FtpsLoginsTest, WhatCannotBeKeptIsNotGood) {
  Open();
  full_ = true;
  EXPECT_EQ(Make().error().code, Code::kUnavailable);
  EXPECT_THAT(Published(), IsEmpty());
  EXPECT_THAT(logins_->List(ProjectId{7}), IsEmpty());
}

TEST(FtpsRecordsText, DamageIsAnErrorAndNothingIsNone) {
  EXPECT_THAT(ReadFtpsRecords("")->logins, IsEmpty());
  for (const char* text :
       {"x\n", "gpuyard ftps 1", "gpuyard ftps 1\nlogin\t7\ta\n", "gpuyard ftps 1\nproject\t7\tx\n",
        "gpuyard ftps 1\nproject\t7\t0", "gpuyard ftps 1\nproject\t7\t-1\n",
        "gpuyard ftps 1\nlogin\t7\ta\th\t00000000-0000-7000-8000-000000000000\t0\t0\n"})
    EXPECT_EQ(ReadFtpsRecords(text).error().code, Code::kInternal) << text;
}

}  // namespace
}  // namespace yard::control
