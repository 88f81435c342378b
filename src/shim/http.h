// HTTP with a container daemon over its unix socket, for a program without a C++ library.
//
// Requests are of version 1.0, so that an answer is what comes until the daemon hangs up. One
// thread; an Answer's text lies in a buffer that the next answer overwrites.
#pragma once

#include <cstddef>
#include <cstdint>

namespace yard::shim {

struct Answer {
  int status = 0;         // 0: the daemon could not be reached, or said nothing we understand
  const char* body = "";  // its beginning, if it is long
};

// Sends a request without a body and waits for the answer, a minute at most.
Answer Ask(const char* socket, const char* method, const char* target);

// An answer that may be a long time coming. For poll(2).
class Question {
 public:
  // False if the daemon cannot be reached.
  bool Send(const char* socket, const char* method, const char* target);
  int fd() const { return fd_; }
  // Call when fd() can be read. True once the answer is whole; then it is closed.
  bool Receive(Answer* answer);
  void Close();

 private:
  int fd_ = -1;
  std::size_t size_ = 0;
  char text_[4096];
};

// Asks for a raw stream. A descriptor, or -1 with what the daemon answered instead.
int OpenStream(const char* socket, const char* target, Answer* refusal);

// The first `"name":<number>` of a JSON text; -1 if there is none or it is negative.
std::int64_t FindNumber(const char* json, const char* name);
bool FindTrue(const char* json, const char* name);
// The text of the first `"name":"…"`, with escapes undone as far as people need it.
void FindText(const char* json, const char* name, char* into, std::size_t size);
// The same within the first `"object":{…}`. For names that elsewhere are a stranger's: a label of
// an image may have any name.
struct TextPlace {
  const char* object;
  const char* name;
};
void FindTextIn(const char* json, const TextPlace& place, char* into, std::size_t size);

}  // namespace yard::shim
