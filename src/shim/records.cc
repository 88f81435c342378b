#include "shim/records.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "shim/format.h"
#include "shim/text.h"

namespace yard::shim {
namespace {

void AddStarted(Line& line, pid_t pid, std::int64_t at) {
  line << "pid=" << pid << "\nstarted=" << at << "\n";
}

// When the process was born: tells it from others who had, or will have, its number. Adds nothing
// if that is not known.
void AddBirth(Line& line, pid_t pid) {
  constexpr int kFieldsBetween = 20;  // from the name to the time of birth
  Line path;
  path << "/proc/" << pid << "/stat";
  char stat[1024];
  char boot[64];
  if (ReadFile(path.text(), stat, sizeof(stat)) <= 0) return;
  if (ReadFile("/proc/sys/kernel/random/boot_id", boot, sizeof(boot)) <= 0) return;
  const char* field = strrchr(stat, ')');  // the name may hold anything
  for (int i = 0; i < kFieldsBetween && field != nullptr; ++i) field = strchr(field + 1, ' ');
  if (field == nullptr) return;
  line.Add(boot, strcspn(boot, "\n")) << "/";
  line.Add(field + 1, strcspn(field + 1, " "));
}

void AddNumber(Line& line, const char* key, std::int64_t value) {
  if (value >= 0) line << key << "=" << value << "\n";
}

bool HasEnd() {
  static char text[16 << 10];
  if (ReadFile(kStateName, text, sizeof(text)) <= 0) return false;
  const char* last = strstr(text, "\nmessage=");
  return last != nullptr && strchr(last + 1, '\n') != nullptr;
}

// The server looks for it; that it cannot be made is no error, since the server asks again anyway.
void Mark(const Spec& spec) {
  if (spec.mark == nullptr) return;
  const int fd = open(spec.mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
}

}  // namespace

bool TakeTask(int* state) {
  *state = open(kStateName, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (*state < 0) return false;
  Line line;
  line << "shim=" << getpid() << "\n";
  return write(*state, line.text(), line.size()) == static_cast<ssize_t>(line.size());
}

Taken TakeAgain(int* state) {
  if (TakeTask(state)) return Taken::kFirst;
  if (HasEnd() || access(kRefusalName, F_OK) == 0) return Taken::kNo;
  *state = open(kStateName, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (*state < 0) return Taken::kNo;
  Line line;
  line << "shim=" << getpid() << "\n";
  const bool whole = write(*state, line.text(), line.size()) == static_cast<ssize_t>(line.size());
  return whole ? Taken::kAgain : Taken::kNo;
}

TaskProcess ReadTaskProcess() {
  TaskProcess process;
  char text[1024];
  if (ReadFile(kStateName, text, sizeof(text)) <= 0) return process;
  char* rest = nullptr;
  for (char* line = strtok_r(text, "\n", &rest); line != nullptr;
       line = strtok_r(nullptr, "\n", &rest)) {
    if (const char* value = ValueOf(line, "pid"))
      process.pid = static_cast<pid_t>(ParseNumber(value));
    if (const char* value = ValueOf(line, "born"))
      strncpy(process.born, value, sizeof(process.born) - 1);
  }
  return process;
}

bool IsItself(const TaskProcess& process) {
  Line born;
  if (process.pid > 0) AddBirth(born, process.pid);
  return born.size() > 0 && strcmp(born.text(), process.born) == 0;
}

Heard NoteStarted(const Spec& spec, int state, pid_t pid, std::int64_t at) {
  Line line;
  Line born;
  AddBirth(born, pid);
  if (born.size() > 0) line << "born=" << born.text() << "\n";
  AddStarted(line, pid, at);
  // Without this line a restarted server takes the task for starting: nothing to do about it.
  if (write(state, line.text(), line.size()) < 0) return Heard::kYes;
  Mark(spec);
  return TellStarted(spec, pid, at);
}

Heard TellStarted(const Spec& spec, pid_t pid, std::int64_t at) {
  sockaddr_un address{};
  if (spec.events == nullptr || strlen(spec.events) >= sizeof(address.sun_path)) return Heard::kYes;
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path, spec.events);
  Line line;
  line << "task=" << spec.task << "\n";
  AddStarted(line, pid, at);
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return Heard::kYes;
  const ssize_t sent = sendto(fd, line.text(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                              reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  const bool full = sent < 0 && (errno == EAGAIN || errno == ENOBUFS);
  close(fd);
  return full ? Heard::kTryAgain : Heard::kYes;
}

bool WriteEnd(const Spec& spec, int state, const End& end) {
  Line line;
  line << end::kCause << "=" << end.cause << "\n";
  AddNumber(line, end::kCode, end.code);
  AddNumber(line, end::kSignal, end.signal);
  AddNumber(line, end::kStarted, end.started);
  AddNumber(line, end::kLog, end.log);
  AddNumber(line, end::kCpu, end.cpu);
  AddNumber(line, end::kMemory, end.memory);
  AddNumber(line, end::kRead, end.read);
  AddNumber(line, end::kWrite, end.write);
  line << end::kAt << "=" << NowMicros() << "\n" << end::kMessage << "=";
  line.AddPrintable(end.message).AddNewline();  // without it the end would be none
  const bool whole = write(state, line.text(), line.size()) == static_cast<ssize_t>(line.size());
  const bool kept = whole && (!spec.sync || fdatasync(state) == 0);
  Mark(spec);
  return kept;
}

}  // namespace yard::shim
