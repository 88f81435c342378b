// Connections for readers: as many as there are readers at one moment, kept for the next ones.
//
// In WAL mode a reader never waits for the writer nor the writer for a reader.
// Thread rule: any thread; the lease itself stays with one thread.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {

class ReaderPool {
 public:
  // One connection, inside one read transaction: everything read is of one moment. Goes back to
  // the pool at the end.
  class Lease {
   public:
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    Database& database() { return *database_; }

   private:
    friend class ReaderPool;
    Lease(ReaderPool& pool, std::unique_ptr<Database> database)
        : pool_(pool), database_(std::move(database)) {}

    ReaderPool& pool_;
    std::unique_ptr<Database> database_;
  };

  explicit ReaderPool(std::string path) : path_(std::move(path)) {}

  Result<Lease> Take();

 private:
  const std::string path_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Database>> idle_;  // guarded by mutex_
};

}  // namespace yard::store
