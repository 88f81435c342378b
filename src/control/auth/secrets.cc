#include "control/auth/secrets.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <sodium.h>

#include "base/check.h"
#include "base/sync_folder.h"

namespace yard::control {
namespace {

constexpr std::size_t kNonce = crypto_secretbox_NONCEBYTES;
constexpr std::size_t kTag = crypto_secretbox_MACBYTES;
static_assert(std::tuple_size_v<VaultKey> == crypto_secretbox_KEYBYTES);

std::string ToBase64(const std::vector<std::uint8_t>& bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(),
                    sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the terminating zero
  return text;
}

std::optional<std::vector<std::uint8_t>> FromBase64(std::string_view text) {
  std::vector<std::uint8_t> bytes(text.size() + 1);  // never a null pointer
  std::size_t length = 0;
  int failed = sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr,
                                 &length, nullptr, sodium_base64_VARIANT_ORIGINAL);
  if (failed != 0) return std::nullopt;
  bytes.resize(length);
  return bytes;
}

// Closes its descriptor.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }
  bool open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

Error FileError(std::string_view what, const std::string& path) {
  return {Code::kUnavailable,
          fmt::format("cannot {} the key file {}: {}", what, path, std::strerror(errno)),
          "check that the data directory is there and writable"};
}

Result<VaultKey> ReadKey(const File& file, const std::string& path) {
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) return Fail(FileError("look at", path));
  if ((about.st_mode & 077) != 0) {
    return Fail(Code::kForbidden, fmt::format("others may read the key file {}", path),
                fmt::format("run: chmod 600 {}", path));
  }
  VaultKey key{};
  ssize_t got = ::read(file.get(), key.data(), key.size());
  if (got < 0) return Fail(FileError("read", path));
  if (static_cast<std::size_t>(got) != key.size() || about.st_size != got) {
    return Fail(Code::kInvalid, fmt::format("{} is not a key file of 32 bytes", path),
                "restore it from a backup: stored credentials cannot be read without it");
  }
  return key;
}

Result<VaultKey> MakeKey(const File& file, const std::string& path, Random& random) {
  VaultKey key{};
  random.Fill(key);
  ssize_t put = ::write(file.get(), key.data(), key.size());
  bool kept = put == static_cast<ssize_t>(key.size()) && ::fsync(file.get()) == 0;
  if (!kept || !SyncFolder(path.substr(0, path.rfind('/')))) {
    Error error = FileError("write", path);
    ::unlink(path.c_str());
    return Fail(std::move(error));
  }
  return key;
}

std::unexpected<Error> LostKey(const std::string& path, std::string_view how) {
  return Fail(Code::kPrecondition,
              fmt::format("the key file {} {} that stored credentials were sealed with", path, how),
              "restore it from a backup; to give these credentials up, put 32 random bytes there "
              "(mode 0600) and delete them in the running server");
}

}  // namespace

Vault::~Vault() {
  sodium_memzero(key_.data(), key_.size());
}

std::string Vault::Seal(std::string_view secret, Random& random) const {
  std::vector<std::uint8_t> box(kNonce + kTag + secret.size());
  random.Fill(std::span(box).first(kNonce));
  const auto* plain = reinterpret_cast<const unsigned char*>(secret.data());
  int failed =
      crypto_secretbox_easy(box.data() + kNonce, plain, secret.size(), box.data(), key_.data());
  YARD_CHECK(failed == 0);
  return ToBase64(box);
}

Result<std::string> Vault::Open(std::string_view sealed) const {
  std::optional<std::vector<std::uint8_t>> box = FromBase64(sealed);
  if (!box || box->size() < kNonce + kTag) {
    return Fail(Code::kInternal, "a stored secret is damaged");
  }
  std::string secret(box->size() - kNonce - kTag, '\0');
  int failed = crypto_secretbox_open_easy(reinterpret_cast<unsigned char*>(secret.data()),
                                          box->data() + kNonce, box->size() - kNonce, box->data(),
                                          key_.data());
  if (failed == 0) return secret;
  return Fail(Code::kInternal, "a stored secret is damaged or was sealed with another key",
              "put the key file that belongs to this data directory in place");
}

Result<VaultKey> LoadOrMakeKey(const std::string& path, Random& random,
                               const std::optional<std::string>& sealed) {
  File existing(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (existing.open()) {
    YARD_ASSIGN(VaultKey key, ReadKey(existing, path));
    if (sealed && !Vault(key).Open(*sealed)) return LostKey(path, "is not the one");
    return key;
  }
  if (errno != ENOENT) return Fail(FileError("open", path));
  if (sealed) return LostKey(path, "is gone");
  File fresh(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fresh.open()) return Fail(FileError("create", path));
  return MakeKey(fresh, path, random);
}

}  // namespace yard::control
