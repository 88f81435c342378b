#include "shim/spec.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/format.h"
#include "shim/text.h"

namespace yard::shim {
namespace {

char* ReadAll(int fd, std::size_t* size) {
  struct stat about{};
  if (fstat(fd, &about) != 0 || about.st_size <= 0) return nullptr;
  *size = static_cast<std::size_t>(about.st_size);
  char* text = static_cast<char*>(malloc(*size + 1));
  if (text == nullptr) return nullptr;
  if (pread(fd, text, *size, 0) != about.st_size) return nullptr;
  text[*size] = 0;
  return text;
}

struct TextKey {
  const char* key;
  const char* Spec::* field;
};
constexpr TextKey kTexts[] = {{key::kTask, &Spec::task},     {key::kEvents, &Spec::events},
                              {key::kMark, &Spec::mark},     {key::kCwd, &Spec::cwd},
                              {key::kTree, &Spec::tree},     {key::kOom, &Spec::oom},
                              {key::kDaemon, &Spec::daemon}, {key::kContainer, &Spec::container},
                              {key::kParent, &Spec::parent}};

struct ListKey {
  const char* key;
  List Spec::* field;
};
constexpr ListKey kLists[] = {{key::kArg, &Spec::args},        {key::kEnv, &Spec::env},
                              {key::kInherit, &Spec::inherit}, {key::kGroupV1, &Spec::groups_v1},
                              {key::kSet, &Spec::sets},        {key::kMount, &Spec::mounts}};

struct NumberKey {
  const char* key;
  std::int64_t Spec::* field;
};
constexpr NumberKey kNumbers[] = {
    {key::kUid, &Spec::uid}, {key::kGid, &Spec::gid}, {key::kLogLimit, &Spec::log_limit}};

void TakeLine(char* line, Spec* spec) {
  for (const TextKey& known : kTexts)
    if (const char* value = ValueOf(line, known.key)) spec->*known.field = value;
  for (const ListKey& known : kLists)
    if (const char* value = ValueOf(line, known.key))
      (spec->*known.field).Add(const_cast<char*>(value));
  for (const NumberKey& known : kNumbers)
    if (const char* value = ValueOf(line, known.key)) spec->*known.field = ParseNumber(value);
  if (const char* value = ValueOf(line, key::kGroup); value && spec->group_count < kGroupsMax)
    spec->groups[spec->group_count++] = static_cast<gid_t>(ParseNumber(value));
  if (const char* value = ValueOf(line, key::kGuardDevices)) spec->devices.Guard(value);
  if (const char* value = ValueOf(line, key::kGrantDevice)) spec->devices.Grant(value);
  if (ValueOf(line, key::kTty)) spec->tty = true;
  if (ValueOf(line, key::kSync)) spec->sync = true;
  if (ValueOf(line, key::kAsRoot)) spec->as_root = true;
}

// The spec's own variables win.
void Inherit(Spec* spec) {
  const int own = spec->env.count;
  for (char** at = environ; spec->inherit.count > 0 && *at != nullptr; ++at) {
    const std::size_t name = strcspn(*at, "=") + 1;
    bool wanted = false;
    for (int i = 0; i < spec->inherit.count; ++i)
      wanted = wanted || strncmp(*at, spec->inherit.items[i], strlen(spec->inherit.items[i])) == 0;
    for (int i = 0; i < own; ++i) wanted = wanted && strncmp(*at, spec->env.items[i], name) != 0;
    if (wanted) spec->env.Add(*at);
  }
}

}  // namespace

void List::Add(char* item) {
  if ((count & (count + 1)) == 0 || items == nullptr) {
    const auto room = static_cast<std::size_t>(count + 1) * 2;
    auto* grown = static_cast<char**>(realloc(items, (room + 1) * sizeof(char*)));
    if (grown == nullptr) return;
    items = grown;
  }
  items[count++] = item;
  items[count] = nullptr;
}

bool ReadSpec(int fd, Spec* spec) {
  std::size_t size = 0;
  char* text = ReadAll(fd, &size);
  if (text == nullptr || text[size - 1] != 0) return false;
  char* last = text;
  for (char* line = text; line < text + size; line += strlen(line) + 1) {
    TakeLine(line, spec);
    last = line;
  }
  Inherit(spec);
  const bool runs_something = spec->args.count > 0 || (spec->container && spec->daemon);
  return strcmp(last, kSpecEnd) == 0 && runs_something;
}

}  // namespace yard::shim
