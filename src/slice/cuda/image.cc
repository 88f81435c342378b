#include "slice/cuda/image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "slice/region.h"

namespace yard::slice::cuda {
namespace {

// The bytes of the elements of a declaration such as `.global .align 4 .b8 name[4096];`.
std::uint64_t ElementBytes(const char* at, const char* end) {
  for (; at + 4 < end; ++at) {
    if (at[0] != '.' || (at[1] != 'b' && at[1] != 'u' && at[1] != 's' && at[1] != 'f')) continue;
    const unsigned long bits = strtoul(at + 2, nullptr, 10);
    if (bits >= 8 && bits <= 128) return bits / 8;
  }
  return 1;
}

std::uint64_t TextBytes(const char* text) {
  std::uint64_t bytes = 0;
  for (const char* at = strstr(text, ".global "); at != nullptr; at = strstr(at + 1, ".global ")) {
    const char* const end = strpbrk(at, ";={(\n");
    if (end == nullptr || *end == '(') continue;
    const char* const bracket =
        static_cast<const char*>(memchr(at, '[', static_cast<std::size_t>(end - at)));
    if (bracket != nullptr) bytes += strtoull(bracket + 1, nullptr, 10) * ElementBytes(at, end);
  }
  return bytes;
}

std::uint64_t CompiledBytes(const void* image) {
  Elf64_Ehdr head;
  memcpy(&head, image, sizeof(head));
  if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_shentsize != sizeof(Elf64_Shdr)) return 0;
  std::uint64_t bytes = 0;
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    Elf64_Shdr section;
    memcpy(&section, static_cast<const char*>(image) + head.e_shoff + i * sizeof(section),
           sizeof(section));
    const std::uint64_t variables = SHF_ALLOC | SHF_WRITE;
    if ((section.sh_flags & variables) == variables && section.sh_type == SHT_NOBITS)
      bytes += section.sh_size;
  }
  return bytes;
}

bool IsText(const char* image) {
  while (*image == ' ' || *image == '\n' || *image == '\t' || *image == '\r') ++image;
  return memcmp(image, "//", 2) == 0 || memcmp(image, ".v", 2) == 0;
}

}  // namespace

// The driver reads the image by these same fields, so that a wrong one fails there too. Whole
// blocks only: small variables share one with others.
std::uint64_t ImageBytes(const void* image) {
  if (image == nullptr) return 0;
  const auto* const text = static_cast<const char*>(image);
  std::uint64_t bytes = 0;
  if (memcmp(image, ELFMAG, SELFMAG) == 0)
    bytes = CompiledBytes(image);
  else if (IsText(text))
    bytes = TextBytes(text);
  return bytes / kGranule * kGranule;
}

}  // namespace yard::slice::cuda
