// The record of changes: who changed what, when, and what it was before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/object.h"

namespace yard {

// Who asked for a change and how it reached us.
struct Origin {
  std::string subject;       // e-mail, client id, or "system"
  std::string subject_type;  // "User" or "App"
  std::string address;
  std::string method;  // HTTP method and path, empty for the server's own changes
  std::string url;
  std::string request_id;
  int status = 200;  // what the asker is answered once the change is made
};

// One object changed: `before` is absent for a creation, `after` for a deletion.
struct Change {
  std::optional<Object> before;
  std::optional<Object> after;

  const Object& any() const { return after ? *after : *before; }
};

// Something worth recording that changed no object: a sign-in, a refused request.
struct Note {
  std::string action;  // "sign-in", "sign-out", "create", …
  std::string entity_type;
  std::string entity_id;
  std::string entity_name;
  int status = 200;
};

// One line of the journal, as people read it.
struct JournalRecord {
  std::int64_t sequence = 0;
  Time at;
  Origin origin;
  std::string action;
  std::string entity_type;
  std::string entity_id;
  std::string entity_name;
  int status = 200;
  std::optional<std::string> before;  // stored JSON, secrets hidden
  std::optional<std::string> after;
};

struct JournalQuery {
  std::optional<Time> start;  // inclusive
  std::optional<Time> end;    // exclusive
  std::optional<std::string> entity_type;
  std::optional<std::string> entity_id;
  std::optional<std::string> subject;
  std::optional<std::string> action;
  std::optional<std::int64_t> after_sequence;
  bool newest_first = true;
  bool for_people = false;  // without the server's bookkeeping (model/object.h)
  std::size_t offset = 0;
  std::size_t limit = 100;
};

struct JournalPage {
  std::vector<JournalRecord> records;
  std::int64_t total = 0;
};

}  // namespace yard
