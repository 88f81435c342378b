// Any bytes as a tar stream: no crash, and no path that leads out of the folder.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "data/intake.h"
#include "data/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace yard;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  data::FolderIntake intake(
      {}, [](std::string_view chunk) -> Result<data::ChunkId> { return data::IdOf(chunk); });
  for (const std::size_t piece : {std::size_t{7}, std::size_t{4096}}) {
    data::TarReader reader(data::TarContents::kLeftOut,
                           {.entry = [](data::TarEntry&&) { return Status(); }});
    for (std::size_t at = 0; at < size; at += piece) {
      if (!reader.Feed(text.substr(at, piece))) break;
    }
  }
  if (!intake.Feed(text)) return 0;
  Result<data::TakenFolder> taken = intake.Finish();
  if (!taken) return 0;
  YARD_CHECK(data::ReadManifest(taken->manifest).has_value());
  return 0;
}
