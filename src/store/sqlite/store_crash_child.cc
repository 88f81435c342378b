// Commits batches for ever and writes each acknowledged sequence number to standard output; ends
// when it is killed. Batch N of an entry set changes the same objects together, so that a half
// stored entry shows. See store_crash_test.cc.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/store_crash.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto store = yard::store::OpenSqlite(argv[1]);
  if (!store) return 3;
  yard::store::CrashScript script;
  if (!script.Resume(**store)) return 4;
  while (true) {
    auto sequence = (*store)->Commit(script.NextBatch());
    if (!sequence) return 5;
    std::string line = std::to_string(*sequence) + "\n";
    if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) return 6;
  }
}
