// A local engine with containers, in a folder of its own, and the words tests use with it.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/local/local_engine.h"
#include "engine/local/options.h"

namespace yard::lab {

// A folder and control groups for one engine.
class Place {
 public:
  // Changes how the engine is set up.
  using Adjust = std::function<void(engine::LocalOptions&)>;

  explicit Place(const Adjust& adjust = {});
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  std::unique_ptr<engine::Engine> Open() const;
  const engine::LocalOptions& options() const { return options_; }
  // Containers, control groups, mounts and folders of tasks that are left on the machine.
  std::vector<std::string> Leftovers() const;

 private:
  engine::LocalOptions options_;
};

class Workbench {
 public:
  explicit Workbench(const Place::Adjust& adjust = {});
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  engine::Engine& engine() { return *engine_; }
  const engine::LocalOptions& options() const { return place_.options(); }

  // Another life of the server: the engine goes and a new one adopts what it left.
  void Restart();

  // A task that runs a script of sh in the test image.
  engine::TaskSpec Shell(const std::string& script);
  engine::TaskKey NewKey();

  engine::TaskKey Launch(engine::TaskSpec spec);
  void AwaitRunning(const engine::TaskKey& key);
  // Until it was told, whatever has followed.
  void AwaitState(const engine::TaskKey& key, engine::TaskState state);
  engine::TaskEnd AwaitEnd(const engine::TaskKey& key);
  engine::TaskEnd Run(engine::TaskSpec spec) { return AwaitEnd(Launch(std::move(spec))); }
  std::string LogOf(const engine::TaskKey& key);
  // Waits until the log has the text.
  void AwaitLog(const engine::TaskKey& key, const std::string& text);
  std::vector<std::string> DetailsOf(const engine::TaskKey& key);
  int ChangesOf(const engine::TaskKey& key, engine::TaskState state);

  // What ended tasks have left, other than their folders.
  std::vector<std::string> Leftovers();

 private:
  void Open();
  bool Await(const std::function<bool()>& condition);

  Place place_;
  std::unique_ptr<engine::Engine> engine_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<engine::TaskKey, std::vector<engine::TaskStatus>> changes_;  // guarded by mutex_
};

// What a session says until its end; its input is closed first.
struct Said {
  std::string output;
  std::string error;
  std::int32_t code = -1;
};
Said Listen(engine::Session& session, const std::string& input = "");
std::string ReadUntilEnd(int fd);

}  // namespace yard::lab
