// The door to the control plane: commands in, snapshots out.
//
// Reads never block: they take the newest published State. Writes are queued to the one reactor
// thread, which runs a batch of commands on its private State, makes their effects durable in
// one commit, publishes the new State and only then reports success. If the commit fails, the
// whole batch is taken back and every command of it fails with kUnavailable.
// Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "control/auth/access.h"
#include "control/state/state.h"
#include "control/state/txn.h"
#include "model/journal.h"

namespace yard::store {
class Store;
}

namespace yard::control {

using Snapshot = std::shared_ptr<const State>;

// Runs on the reactor thread. May read and change through the Txn; must not block or call out.
using Command = std::move_only_function<Status(Txn&)>;

// Runs on the reactor thread after the command is durable, or has failed.
using Done = std::move_only_function<void(Status)>;

// A committed change, as told to watchers.
struct Notice {
  std::int64_t sequence = 0;  // its row in the journal
  Time at;
  Change change;
};

// Called on the reactor thread, in commit order; must be quick and not block.
using Watcher = std::function<void(const Notice&)>;

// Unsubscribes when destroyed.
class Subscription {
 public:
  virtual ~Subscription() = default;
};

struct ServiceStats {
  std::uint64_t commits = 0;
  std::uint64_t commands = 0;
  std::uint64_t failed_commits = 0;
  std::uint64_t queue_length = 0;
};

class Service {
 public:
  // Loads the state and starts the reactor. The clock, random source and store must outlive it.
  static Result<std::unique_ptr<Service>> Start(std::unique_ptr<store::Store> store,
                                                const Clock& clock, Random& random);
  virtual ~Service() = default;

  virtual Snapshot Read() const = 0;

  // `origin` is filled in with the principal's name if its subject is empty.
  virtual void Write(Principal who, Origin origin, Command command, Done done) = 0;

  // Write and wait; for the program's own start-up and for tests, never from an I/O thread.
  Status WriteAndWait(Principal who, Command command);

  [[nodiscard]] virtual std::unique_ptr<Subscription> Watch(Watcher watcher) = 0;

  virtual Result<JournalPage> ReadJournal(const JournalQuery& query) = 0;
  virtual Result<std::vector<WorkloadEvent>> ReadEvents(WorkloadId workload, std::size_t offset,
                                                        std::size_t limit) = 0;
  virtual Status Backup(const std::string& path) = 0;
  // Moves work that came to its end, and was last touched before `before`, out of the memory into
  // the archive, a little between every two batches.
  virtual void MoveToArchive(Time before) = 0;
  // Forgets journal rows and events older than `before`, a little between every two batches.
  virtual void Prune(Time before) = 0;
  virtual ServiceStats stats() const = 0;
  virtual Time Now() const = 0;
  virtual Random& random() = 0;
};

}  // namespace yard::control
