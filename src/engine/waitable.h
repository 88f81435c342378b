// What a session can also be: one whose end shows on a descriptor, so that nobody has to hold a
// thread until it comes.
#pragma once

namespace yard::engine {

class Waitable {
 public:
  // Readable once the command has ended, when Wait no longer blocks. Stays the session's own.
  virtual int ended() const = 0;

 protected:
  ~Waitable() = default;
};

}  // namespace yard::engine
