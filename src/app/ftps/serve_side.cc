#include "app/ftps/serve_side.h"

#include <crypt.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/certificates.h"
#include "app/ftps/config.h"
#include "app/ftps/layout.h"
#include "app/room.h"
#include "base/file.h"
#include "base/random.h"
#include "base/time.h"
#include "data/folder.h"

namespace yard::app::ftps {
namespace {

constexpr const char* kRecords = "ftps-logins";  // in the data directory
constexpr const char* kHashPrefix = "$6$";       // SHA-512, as proftpd's crypt(3) reads it

std::unexpected<Error> CannotWrite(std::string_view name) {
  return Fail(Code::kUnavailable, fmt::format("cannot write {}: {}", name, std::strerror(errno)),
              "check the free space and the permissions there");
}

struct NewFile {
  std::string name;
  std::string_view text;
  mode_t mode = 0600;
};
// All of it or none, and durable.
Status Replace(int folder, const NewFile& file) {
  const std::string fresh = file.name + ".new";
  UniqueFd opened(::openat(folder, fresh.c_str(),
                           O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, file.mode));
  if (!opened || ::fchmod(opened.get(), file.mode) != 0) return CannotWrite(file.name);
  for (std::string_view left = file.text; !left.empty();) {
    const ssize_t put = ::write(opened.get(), left.data(), left.size());
    if (put < 0) return CannotWrite(file.name);
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  if (::fsync(opened.get()) != 0 ||
      ::renameat(folder, fresh.c_str(), folder, file.name.c_str()) != 0 || ::fsync(folder) != 0)
    return CannotWrite(file.name);
  return {};
}

Result<std::string> HashOf(const std::string& password, Random& random) {
  std::array<std::uint8_t, 16> bytes{};
  random.Fill(bytes);
  std::array<char, CRYPT_GENSALT_OUTPUT_SIZE> salt{};
  auto data = std::make_unique<crypt_data>();
  const char* const hash =
      crypt_gensalt_rn(kHashPrefix, 0, reinterpret_cast<const char*>(bytes.data()), bytes.size(),
                       salt.data(), static_cast<int>(salt.size())) == nullptr
          ? nullptr
          : crypt_r(password.c_str(), salt.data(), data.get());
  if (hash == nullptr || !std::string_view(hash).starts_with(kHashPrefix))
    return Fail(Code::kInternal, "the system's crypt(3) does not make hashes of SHA-512");
  return std::string(hash);
}

Result<KeyKind> KindOf(const std::string& key) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(
      BIO_new_mem_buf(key.data(), static_cast<int>(key.size())), BIO_free);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> read(
      PEM_read_bio_PrivateKey(text.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  const int kind = read ? EVP_PKEY_base_id(read.get()) : EVP_PKEY_NONE;
  if (kind == EVP_PKEY_RSA) return KeyKind::kRsa;
  if (kind == EVP_PKEY_EC) return KeyKind::kEc;
  return Fail(Code::kInvalid, "tls-key: FTPS needs a key of RSA or EC without a password");
}

std::string UsersText(const std::vector<control::FtpsEntry>& entries) {
  std::string text;
  for (const control::FtpsEntry& entry : entries) {
    const std::uint32_t id = kFirstProject + entry.number;
    text += fmt::format("{}:{}:{}:{}::/{}/{}:/bin/false\n", entry.name, entry.hash, id, id,
                        kFilesFolder, entry.project.value);
  }
  return text;
}

class OpenSide final : public ServeSide {
 public:
  OpenSide(FtpsPlace place, std::string data) : place_(std::move(place)), data_(std::move(data)) {}

  Status Begin(const Settings& settings, control::Service& service, control::DataSets& sets);
  control::Ftps& ftps() override { return *ftps_; }
  void Stop() override { takes_->Stop(); }

 private:
  Result<std::string> HandCertificate(const Settings& settings);
  Status PutFiles(KeyKind kind, const std::string& certificate, const std::string& key);
  Result<UniqueFd> OpenUploads(ProjectId project) const;
  Status Publish(const std::vector<control::FtpsEntry>& entries) const {
    return Replace(place_.users.get(), {kUsersFile, UsersText(entries), 0640});
  }
  Status Keep(const std::string& records) const {
    YARD_ASSIGN(const UniqueFd folder, data::OpenFolder(data_));
    return Replace(folder.get(), {kRecords, records, 0600});
  }

  const FtpsPlace place_;
  const std::string data_;
  std::unique_ptr<control::FtpsLogins> logins_;
  std::unique_ptr<control::FtpsTakes> takes_;
  std::optional<control::Ftps> ftps_;
};

Status OpenSide::PutFiles(KeyKind kind, const std::string& certificate, const std::string& key) {
  const bool rsa = kind == KeyKind::kRsa;
  for (const char* old : {kRsaCertificate, kRsaKey, kEcCertificate, kEcKey})
    ::unlinkat(place_.users.get(), old, 0);
  YARD_TRY(
      Replace(place_.users.get(), {rsa ? kRsaCertificate : kEcCertificate, certificate, 0640}));
  return Replace(place_.users.get(), {rsa ? kRsaKey : kEcKey, key, 0640});
}

// Answers with what clients check it against.
Result<std::string> OpenSide::HandCertificate(const Settings& settings) {
  YARD_ASSIGN(const http::TlsFiles files,
              OwnCertificate(settings, Address{place_.host, place_.port}));
  YARD_ASSIGN(const std::string certificate, ReadFile(files.certificate_chain));
  YARD_ASSIGN(const std::string key, ReadFile(files.private_key));
  YARD_ASSIGN(const KeyKind kind, KindOf(key));
  YARD_TRY(PutFiles(kind, certificate, key));
  if (settings.Text("tls") == "files") return certificate;
  return ReadFile(data_ + "/tls/ca.crt");
}

Result<UniqueFd> OpenSide::OpenUploads(ProjectId project) const {
  const std::string path =
      fmt::format("{}/{}/{}/{}", kFilesFolder, project.value, kSeenOuter, kSeenInner);
  Result<UniqueFd> opened = data::OpenBelow(place_.folder.get(), path, O_RDONLY | O_DIRECTORY);
  if (opened || opened.error().code != Code::kNotFound) return opened;
  return Fail(Code::kNotFound, "nobody has uploaded files to this project by FTPS",
              "`gpuyard ftps password` says how");
}

Status OpenSide::Begin(const Settings& settings, control::Service& service,
                       control::DataSets& sets) {
  YARD_ASSIGN(std::string certificate, HandCertificate(settings));
  YARD_ASSIGN(
      logins_,
      control::FtpsLogins::Open(
          service,
          {.records = ReadFileOrEmpty(fmt::format("{}/{}", data_, kRecords)),
           .keep = [this](const std::string& records) { return Keep(records); },
           .publish = [this](const auto& entries) { return Publish(entries); },
           .hash = [](const std::string& password) { return HashOf(password, SystemRandom()); },
           .random = SystemRandom(),
           .most_projects = kMostProjects}));
  takes_ = std::make_unique<control::FtpsTakes>(
      sets,
      control::FtpsTakesOptions{.open = [this](ProjectId project) { return OpenUploads(project); },
                                .room = [this] { return RequireRoom(data_); },
                                .clock = SystemClock(),
                                .random = SystemRandom()});
  const std::string host = place_.host == "0.0.0.0" ? std::string() : place_.host;
  ftps_.emplace(control::Ftps{.logins = *logins_,
                              .takes = *takes_,
                              .host = host,
                              .port = place_.port,
                              .certificate = std::move(certificate)});
  return {};
}

}  // namespace

Result<std::unique_ptr<ServeSide>> ServeSide::Open(const Settings& settings, FtpsPlace place,
                                                   control::Service& service,
                                                   control::DataSets& sets) {
  auto side = std::make_unique<OpenSide>(std::move(place), settings.Text("data-dir"));
  YARD_TRY(side->Begin(settings, service, sets));
  return side;
}

}  // namespace yard::app::ftps
