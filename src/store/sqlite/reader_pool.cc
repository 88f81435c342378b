#include "store/sqlite/reader_pool.h"

#include <utility>

namespace yard::store {

Result<ReaderPool::Lease> ReaderPool::Take() {
  std::unique_ptr<Database> database;
  {
    std::lock_guard guard(mutex_);
    if (!idle_.empty()) {
      database = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!database) {
    YARD_ASSIGN(Database opened, Database::Open(path_, OpenMode::kExisting));
    YARD_TRY(opened.Execute("PRAGMA query_only=1"));
    database = std::make_unique<Database>(std::move(opened));
  }
  YARD_TRY(database->Execute("BEGIN"));
  return Lease(*this, std::move(database));
}

ReaderPool::Lease::~Lease() {
  if (!database_) return;
  // A connection that cannot end its transaction is closed instead of used again.
  if (!database_->Execute("ROLLBACK")) return;
  std::lock_guard guard(pool_.mutex_);
  pool_.idle_.push_back(std::move(database_));
}

}  // namespace yard::store
