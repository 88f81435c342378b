#include "shim/http.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "shim/text.h"

namespace yard::shim {
namespace {

constexpr int kPatienceSeconds = 60;
char answer_text[64 << 10];

int Connect(const char* path) {
  sockaddr_un address{};
  if (strlen(path) >= sizeof(address.sun_path)) return -1;
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path, path);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return fd;
  close(fd);
  return -1;
}

bool SendAll(int fd, const char* text, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = send(fd, text, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool SendRequest(int fd, const char* method, const char* target) {
  Line line;
  line << method << " " << target << " HTTP/1.0\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
  return SendAll(fd, line.text(), line.size());
}

Answer Understand(const char* text) {
  if (strncmp(text, "HTTP/1.", 7) != 0 || strlen(text) < 12) return {};
  const char code[4] = {text[9], text[10], text[11], 0};
  const std::int64_t status = ParseNumber(code);
  const char* body = strstr(text, "\r\n\r\n");
  if (status < 0 || body == nullptr) return {};
  return {static_cast<int>(status), body + 4};
}

// Keeps what fits and reads the rest away.
Answer ReadAnswer(int fd) {
  const timeval patience{kPatienceSeconds, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  std::size_t size = 0;
  char rest[4096];
  for (;;) {
    const std::size_t room = sizeof(answer_text) - 1 - size;
    const ssize_t got =
        room > 0 ? read(fd, answer_text + size, room) : read(fd, rest, sizeof(rest));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (room > 0) size += static_cast<std::size_t>(got);
  }
  answer_text[size] = 0;
  return Understand(answer_text);
}

// The head of the answer and not a byte more: what follows is the stream.
bool ReadHead(int fd) {
  std::size_t size = 0;
  while (size < sizeof(answer_text) - 1) {
    const ssize_t got = read(fd, answer_text + size, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    answer_text[++size] = 0;
    if (size >= 4 && memcmp(answer_text + size - 4, "\r\n\r\n", 4) == 0) return true;
  }
  return false;
}

// Behind the colon of the first `"name":`; null if there is none. A name inside a text of the
// answer does not match, because its quotes are escaped.
const char* FindValue(const char* json, const char* name) {
  Line quoted;
  quoted << "\"" << name << "\":";
  const char* found = strstr(json, quoted.text());
  if (found == nullptr) return nullptr;
  found += quoted.size();
  return found + strspn(found, " ");
}

}  // namespace

Answer Ask(const char* socket, const char* method, const char* target) {
  const int fd = Connect(socket);
  if (fd < 0) return {};
  Answer answer;
  if (SendRequest(fd, method, target)) answer = ReadAnswer(fd);
  close(fd);
  return answer;
}

bool Question::Send(const char* socket, const char* method, const char* target) {
  Close();
  fd_ = Connect(socket);
  if (fd_ < 0) return false;
  if (SendRequest(fd_, method, target)) return true;
  Close();
  return false;
}

bool Question::Receive(Answer* answer) {
  char rest[4096];
  const std::size_t room = sizeof(text_) - 1 - size_;
  const ssize_t got = room > 0 ? read(fd_, text_ + size_, room) : read(fd_, rest, sizeof(rest));
  if (got < 0 && errno == EINTR) return false;
  if (got > 0) {
    if (room > 0) size_ += static_cast<std::size_t>(got);
    return false;
  }
  text_[size_] = 0;
  *answer = Understand(text_);
  Close();
  return true;
}

void Question::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
  size_ = 0;
}

int OpenStream(const char* socket, const char* target, Answer* refusal) {
  *refusal = {};
  const int fd = Connect(socket);
  if (fd < 0) return -1;
  Line line;
  line << "POST " << target
       << " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n"
          "Content-Length: 0\r\n\r\n";
  if (SendAll(fd, line.text(), line.size()) && ReadHead(fd)) {
    const Answer head = Understand(answer_text);
    if (head.status == 101 || head.status == 200) return fd;
    refusal->status = head.status;
  }
  close(fd);
  return -1;
}

std::int64_t FindNumber(const char* json, const char* name) {
  const char* value = FindValue(json, name);
  if (value == nullptr) return -1;
  Line digits;
  digits.Add(value, strspn(value, "0123456789"));
  return ParseNumber(digits.text());
}

bool FindTrue(const char* json, const char* name) {
  const char* value = FindValue(json, name);
  return value != nullptr && strncmp(value, "true", 4) == 0;
}

namespace {

// The character behind a backslash; moves `at` to its last byte. The daemons escape what browsers
// would read as markup, `&` among it.
char Unescaped(const char** at) {
  const char c = **at;
  if (c == 'n' || c == 'r' || c == 't') return ' ';
  if (c != 'u') return c;
  int code = 0;
  for (int i = 1; i <= 4; ++i) {
    const char digit = (*at)[i];
    const char lower = static_cast<char>(digit | 0x20);
    const bool is_letter = lower >= 'a' && lower <= 'f';
    if (!is_letter && (digit < '0' || digit > '9')) return c;
    code = code * 16 + (is_letter ? lower - 'a' + 10 : digit - '0');
  }
  *at += 4;
  return code >= 0x20 && code < 0x7f ? static_cast<char>(code) : '?';
}

// At the brace that closes the object, or at the end of what was cut off.
const char* EndOfObject(const char* at) {
  bool in_text = false;
  for (int depth = 0; *at != 0; ++at) {
    if (in_text && *at == '\\' && at[1] != 0) {
      ++at;
    } else if (*at == '"') {
      in_text = !in_text;
    } else if (!in_text && *at == '{') {
      ++depth;
    } else if (!in_text && *at == '}' && --depth == 0) {
      break;
    }
  }
  return at;
}

void CopyText(const char* at, char* into, std::size_t size) {
  std::size_t length = 0;
  if (at != nullptr && *at == '"') {
    for (++at; *at != 0 && *at != '"' && length + 1 < size; ++at) {
      const bool is_escaped = *at == '\\' && at[1] != 0;
      if (is_escaped) ++at;
      into[length++] = is_escaped ? Unescaped(&at) : *at;
    }
  }
  into[length] = 0;
}

}  // namespace

void FindText(const char* json, const char* name, char* into, std::size_t size) {
  CopyText(FindValue(json, name), into, size);
}

void FindTextIn(const char* json, const TextPlace& place, char* into, std::size_t size) {
  const char* object = FindValue(json, place.object);
  const bool is_object = object != nullptr && *object == '{';
  const char* value = is_object ? FindValue(object, place.name) : nullptr;
  const bool is_inside = value != nullptr && value < EndOfObject(object);
  CopyText(is_inside ? value : nullptr, into, size);
}

}  // namespace yard::shim
