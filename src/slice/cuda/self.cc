#include "slice/cuda/self.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "slice/protocol.h"

namespace yard::slice {
namespace {

constexpr const char* kDriverFolders[] = {"/usr/lib/x86_64-linux-gnu",
                                          "/usr/lib64",
                                          "/usr/local/nvidia/lib64",
                                          "/usr/local/nvidia/lib",
                                          "/usr/lib",
                                          "/lib/x86_64-linux-gnu",
                                          "/usr/lib/wsl/lib",
                                          "/run/opengl-driver/lib"};

bool SelfFile(Path* out) {
  Dl_info found;
  if (dladdr(reinterpret_cast<const void*>(&SelfFile), &found) == 0) return false;
  const size_t length = strlen(found.dli_fname);
  if (length >= kPathBytes) return false;
  memcpy(out->text, found.dli_fname, length + 1);
  return true;
}

bool Exists(const char* folder, const char* name) {
  Path path;
  return Join(folder, name, &path) && access(path.text, F_OK) == 0;
}

bool IsSlice(const char* folder) {
  return Exists(folder, kSocketName) || Exists(folder, "real");
}

// Cuts the last component; false if there is none.
bool CutLast(Path* path) {
  char* const slash = strrchr(path->text, '/');
  if (slash == nullptr || slash == path->text) return false;
  *slash = 0;
  return true;
}

bool SameFile(const char* a, const char* b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

void* OpenIn(const char* folder, const char* file, const Path& self) {
  Path path;
  if (!Join(folder, file, &path) || access(path.text, R_OK) != 0) return nullptr;
  if (SameFile(path.text, self.text)) return nullptr;
  return dlopen(path.text, RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

bool Join(const char* folder, const char* name, Path* out) {
  const size_t a = strlen(folder), b = strlen(name);
  if (a + b + 2 > kPathBytes) return false;
  memmove(out->text, folder, a);
  out->text[a] = '/';
  memcpy(out->text + a + 1, name, b + 1);
  return true;
}

bool Beside(const char* file, Path* out) {
  return SelfFile(out) && CutLast(out) && Join(out->text, file, out);
}

bool FindSliceFolder(Path* out) {
  if (SelfFile(out) && CutLast(out) && CutLast(out) && IsSlice(out->text)) return true;
  if (!IsSlice(kContainerDir)) return false;
  strcpy(out->text, kContainerDir);
  return true;
}

void* OpenReal(const char* file) {
  Path self, folder, real;
  if (!SelfFile(&self)) return nullptr;
  if (FindSliceFolder(&folder) && Join(folder.text, "real", &real))
    if (void* const found = OpenIn(real.text, file, self)) return found;
  for (const char* const usual : kDriverFolders)
    if (void* const found = OpenIn(usual, file, self)) return found;
  return nullptr;
}

}  // namespace yard::slice
