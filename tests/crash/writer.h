// One of many clients of the crash test: creates, updates and deletes projects and remembers
// exactly what the server acknowledged.
//
// Used by one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/random.h"

namespace yard::testing {

struct Access {
  std::uint16_t port = 0;
  std::string token;
  std::string cluster;
  std::string pool;
};

// What is known of one project after the server died.
struct Expectation {
  std::string id;
  std::optional<std::string> acknowledged;  // its description; none: not there
  bool in_flight = false;                   // a request was under way: either outcome is right
  std::optional<std::string> attempted;     // what that request would have made of it
};

class Writer {
 public:
  Writer(int number, std::uint64_t seed);
  Writer(Writer&&) noexcept;
  ~Writer();

  // While the server is up. `access` must outlive the run.
  void Connect(const Access& access);
  // Sends requests one after another until the connection breaks.
  void RunUntilTheServerDies();

  const std::map<std::string, Expectation>& projects() const { return projects_; }
  // The state found after the restart becomes the new truth.
  void Settle(const std::string& name, std::optional<std::string> description,
              const std::string& id);
  std::int64_t acknowledged() const { return acknowledged_; }

 private:
  class Session;
  // Returns false when the server is gone.
  bool Step(Session& session);
  bool Create(Session& session);
  bool Update(Session& session, const std::string& name);
  bool Delete(Session& session, const std::string& name);

  int number_;
  std::unique_ptr<Session> session_;
  SeededRandom random_;
  std::int64_t next_ = 0;
  std::int64_t acknowledged_ = 0;
  std::map<std::string, Expectation> projects_;
};

}  // namespace yard::testing
