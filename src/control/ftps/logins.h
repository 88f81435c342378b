// Who may sign in at the FTPS server: names and passwords that people have made for a project.
//
// A password is made here, is good for FTPS alone, and only its salted hash is kept. A login is
// published while its user lives with the same sessions, the project is there and the user may
// still make data sets in it; looked at again twice a second on the newest state. The first
// publication comes before the constructor's caller goes on. Kept outside of State: nothing waits
// for it, and it changes seldom. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "control/service.h"
#include "model/ids.h"

namespace yard::control {

struct FtpsLogin {
  std::string name;
  std::string hash;  // crypt(3)
  UserId user;
  std::int64_t epoch = 0;  // of the user's sessions
  ProjectId project;
  Time created_at;
};

// What is kept of all of them, as text of lines.
struct FtpsRecords {
  std::map<std::string, FtpsLogin> logins;     // by name
  std::map<ProjectId, std::uint32_t> numbers;  // of projects, from 0 on; for good
};
std::string WriteFtpsRecords(const FtpsRecords& records);
// kInternal if the text is damaged.
Result<FtpsRecords> ReadFtpsRecords(std::string_view text);

// One that may sign in now.
struct FtpsEntry {
  std::string name;
  std::string hash;
  std::uint32_t number = 0;  // of its project
  ProjectId project;
};

struct FtpsLoginsOptions {
  std::string records;  // as kept last; empty: none
  std::function<Status(const std::string& records)> keep;
  std::function<Status(const std::vector<FtpsEntry>& entries)> publish;
  std::function<Result<std::string>(const std::string& password)> hash;
  Random& random;
  std::size_t most_projects = 0;
  std::size_t most_of_one = 10;  // logins of one person in one project
};

class FtpsLogins {
 public:
  static Result<std::unique_ptr<FtpsLogins>> Open(Service& service, FtpsLoginsOptions options);
  ~FtpsLogins();
  FtpsLogins(const FtpsLogins&) = delete;
  FtpsLogins& operator=(const FtpsLogins&) = delete;

  struct Made {
    FtpsLogin login;
    std::string password;
  };
  // Blocks for some milliseconds and a write to the disk.
  Result<Made> Make(UserId user, const Project& project);
  std::vector<FtpsLogin> List(ProjectId project) const;
  std::optional<FtpsLogin> Find(ProjectId project, std::string_view name) const;
  Status Remove(ProjectId project, const std::string& name);

 private:
  FtpsLogins(Service& service, FtpsLoginsOptions options)
      : service_(service), options_(std::move(options)) {}
  Status Keep(FtpsRecords records) YARD_REQUIRES(mutex_);
  Status Publish() YARD_REQUIRES(mutex_);
  void Loop();

  Service& service_;
  const FtpsLoginsOptions options_;

  mutable Mutex mutex_;
  CondVar wake_;
  FtpsRecords records_ YARD_GUARDED_BY(mutex_);
  Snapshot seen_ YARD_GUARDED_BY(mutex_);  // what was published last is of this state
  std::vector<std::string> published_ YARD_GUARDED_BY(mutex_);
  bool stopping_ YARD_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace yard::control
