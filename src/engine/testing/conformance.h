// One suite for every engine: each clause of engine/engine.h as a test.
//
// To take part, an engine brings a Host and instantiates the suites it belongs to:
//   INSTANTIATE_TEST_SUITE_P(Sim, Conformance, ::testing::Values(Subject{"sim", MakeSimHost}));
// All engines: Conformance. Tasks are real processes: ProcessConformance too. Memory and number of
// processes are limited: LimitConformance too. After each test nothing may be left.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/engine.h"

namespace yard::engine::testing {

// A machine on which an engine can be opened, closed as if its process had died, and opened again.
class Host {
 public:
  virtual ~Host() = default;
  virtual std::unique_ptr<Engine> Open() = 0;
  // Why no limit can be enforced by the account that runs the tests; empty: it can.
  virtual std::string LimitsMissing() const { return {}; }
  // A task that runs a few lines of shell.
  virtual TaskSpec Shell(const std::string& script) const = 0;
  // Shell that ends a task by signal 9.
  virtual std::string KillSelf() const { return "kill -9 $$; sleep 100"; }
  // What is still there of tasks that have ended and were forgotten, in words.
  virtual std::vector<std::string> Leftovers() const = 0;
};

struct Subject {
  std::string name;
  std::function<std::unique_ptr<Host>()> make;
  friend std::ostream& operator<<(std::ostream& out, const Subject& subject) {
    return out << subject.name;
  }
};

// For INSTANTIATE_TEST_SUITE_P.
inline std::string SubjectName(const ::testing::TestParamInfo<Subject>& subject) {
  return subject.param.name;
}

// What the listener heard, by task.
class Recorder {
 public:
  Listener listener();
  // The first status with that state; fails the test and answers with kUnknown after a while.
  TaskStatus WaitFor(const TaskKey& key, TaskState state);
  // In order, each once: news may come twice.
  std::vector<TaskState> Heard(const TaskKey& key) const;
  void Note(const std::vector<TaskStatus>& statuses);

 private:
  mutable std::mutex mutex_;
  std::condition_variable heard_;
  std::map<TaskKey, std::vector<TaskStatus>> statuses_;  // guarded by mutex_
};

class Conformance : public ::testing::TestWithParam<Subject> {
 protected:
  void SetUp() override;
  void TearDown() override;

  Engine& engine() { return *engine_; }
  const Host& host() const { return *host_; }

  // Launches it under a new key.
  TaskKey Launch(TaskSpec spec);
  TaskKey LaunchShell(const std::string& script) { return Launch(host_->Shell(script)); }
  TaskKey NewKey();
  TaskStatus WaitRunning(const TaskKey& key) {
    return recorder_->WaitFor(key, TaskState::kRunning);
  }
  TaskEnd WaitEnd(const TaskKey& key);
  TaskStatus StatusOf(const TaskKey& key);
  // Waits until the log holds `text`, then answers with all of it.
  std::string WaitLog(const TaskKey& key, const std::string& text);
  std::string WholeLog(const TaskKey& key);
  // As if the server were killed and started again.
  std::vector<TaskStatus> Restart();
  Recorder& recorder() { return *recorder_; }

  void Close();
  std::vector<TaskStatus> Open();

 private:
  std::unique_ptr<Host> host_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Recorder> recorder_;
  std::set<TaskKey> launched_;
};

class ProcessConformance : public Conformance {};

class LimitConformance : public Conformance {
 protected:
  void SetUp() override;
};

// All that comes from the session's output until it ends; what comes from error is appended to
// `error` if that is given.
std::string ReadAll(Session& session, std::string* error = nullptr);
// Reads until `text` has come.
std::string ReadUntil(Session& session, const std::string& text);
void WriteAll(Session& session, std::string_view bytes);

}  // namespace yard::engine::testing
