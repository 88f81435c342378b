#include "slice/vulkan/slice_books.h"

#include <dlfcn.h>

#include "slice/cuda/once.h"
#include "slice/cuda/self.h"

namespace yard::slice::vulkan {
namespace {

constinit Once g_opened{};
const Books* g_books;

void Open() {
  Path path;
  if (!Beside("libcuda.so.1", &path)) return;
  void* const library = dlopen(path.text, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
  if (void* const function = dlsym(library, kBooksName))
    g_books = reinterpret_cast<BooksFunction>(function)();
}

}  // namespace

const Books* SliceBooks() {
  g_opened.Run(Open);
  return g_books;
}

}  // namespace yard::slice::vulkan
