// Makes the table of the dashboard's files: web_embed FOLDER BLOBS TABLE.cc
//
// Every file is written to BLOBS as it is and compressed; the assembler takes them in from there.
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#ifdef YARD_HAS_BROTLI
#include <brotli/encode.h>
#endif

namespace {

namespace fs = std::filesystem;

struct Entry {
  std::string path;
  std::string plain;
  std::string gzip;
  std::string brotli;
};

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Gzip(const std::string& text) {
  z_stream z{};
  if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    return {};
  }
  std::string out(deflateBound(&z, text.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

std::string Brotli([[maybe_unused]] const std::string& text) {
#ifdef YARD_HAS_BROTLI
  std::size_t size = BrotliEncoderMaxCompressedSize(text.size());
  std::string out(size, '\0');
  BrotliEncoderCompress(BROTLI_MAX_QUALITY, BROTLI_MAX_WINDOW_BITS, BROTLI_MODE_TEXT, text.size(),
                        reinterpret_cast<const std::uint8_t*>(text.data()), &size,
                        reinterpret_cast<std::uint8_t*>(out.data()));
  out.resize(size);
  return out;
#else
  return {};
#endif
}

// Nothing is won by less than a tenth.
std::string IfShorter(std::string packed, const std::string& plain) {
  return packed.size() + plain.size() / 10 < plain.size() ? packed : std::string();
}

std::string_view TypeOf(const std::string& path) {
  struct Known {
    std::string_view ending;
    std::string_view type;
  };
  constexpr Known kKnown[] = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".mjs", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".webmanifest", "application/manifest+json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".webp", "image/webp"},
      {".woff2", "font/woff2"},
      {".txt", "text/plain; charset=utf-8"},
  };
  for (const Known& known : kKnown) {
    if (path.ends_with(known.ending)) return known.type;
  }
  return "application/octet-stream";
}

// FNV-1a: tells versions of one file apart, no more.
std::uint64_t Hash(const std::string& text) {
  std::uint64_t hash = 14'695'981'039'346'656'037u;
  for (unsigned char c : text) hash = (hash ^ c) * 1'099'511'628'211u;
  return hash;
}

// The bundler puts a hash of eight characters before the ending: "index-DiwrgTda.js".
bool HasHashedName(const std::string& path) {
  constexpr std::size_t kHash = 8;
  std::size_t dot = path.rfind('.');
  if (!path.starts_with("/assets/") || dot == std::string::npos || dot <= kHash) return false;
  std::string_view hash = std::string_view(path).substr(dot - kHash, kHash);
  return path[dot - kHash - 1] == '-' && std::ranges::all_of(hash, [](unsigned char c) {
           return std::isalnum(c) || c == '_' || c == '-';
         });
}

std::vector<Entry> Collect(const fs::path& folder) {
  std::vector<Entry> entries;
  for (const fs::directory_entry& found : fs::recursive_directory_iterator(folder)) {
    if (!found.is_regular_file()) continue;
    Entry entry{.path = "/" + found.path().lexically_relative(folder).generic_string(),
                .plain = ReadFile(found.path())};
    entry.gzip = IfShorter(Gzip(entry.plain), entry.plain);
    entry.brotli = IfShorter(Brotli(entry.plain), entry.plain);
    entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, {}, &Entry::path);
  return entries;
}

// One blob: the file, its symbols, and the expression that names its bytes.
class Blobs {
 public:
  explicit Blobs(fs::path folder) : folder_(std::move(folder)) { fs::create_directories(folder_); }

  std::string Add(const std::string& bytes) {
    if (bytes.empty()) return "{}";
    std::string name = fmt::format("yard_web_blob_{}", count_++);
    fs::path file = fs::absolute(folder_ / name);
    std::ofstream(file, std::ios::binary) << bytes;
    symbols_ += fmt::format(
        "__asm__(\".section .rodata\\n.hidden {0}\\n.global {0}\\n{0}:\\n.incbin \\\"{1}\\\"\\n"
        ".byte 0\\n.previous\\n\");\nextern \"C\" const char {0}[];\n",
        name, file.generic_string());
    return fmt::format("{{{}, {}}}", name, bytes.size());
  }
  const std::string& symbols() const { return symbols_; }

 private:
  fs::path folder_;
  std::string symbols_;
  int count_ = 0;
};

std::string TableOf(const std::vector<Entry>& entries, Blobs& blobs) {
  std::string rows;
  for (const Entry& entry : entries) {
    std::string plain = blobs.Add(entry.plain);
    std::string gzip = blobs.Add(entry.gzip);
    std::string brotli = blobs.Add(entry.brotli);
    rows += fmt::format("    {{\"{}\", \"{}\", {}, {}, {}, \"{:016x}\", Lifetime::{}}},\n",
                        entry.path, TypeOf(entry.path), plain, gzip, brotli, Hash(entry.plain),
                        HasHashedName(entry.path) ? "kForever" : "kChecked");
  }
  return fmt::format(
      "#include \"web/files.h\"\n\n{}\nnamespace yard::web {{\n\nstd::span<const File> Files() {{\n"
      "  static constexpr std::size_t kCount = {};\n  static const File files[kCount] = {{\n{}  "
      "}};\n"
      "  return files;\n}}\n\n}}  // namespace yard::web\n",
      blobs.symbols(), entries.size(), rows);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: web_embed FOLDER BLOBS TABLE.cc\n");
    return 2;
  }
  std::vector<Entry> entries = Collect(argv[1]);
  Blobs blobs{fs::path(argv[2])};
  std::string table = TableOf(entries, blobs);
  std::ofstream out(argv[3], std::ios::binary);
  out << table;
  out.close();
  return out ? 0 : 1;
}
