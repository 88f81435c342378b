#include "http/tls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/check.h"

namespace yard::http {
namespace {

constexpr std::int64_t kAuthorityDays = 3650;
constexpr std::int64_t kServerDays = 825;
constexpr int kRenewDays = 30;
constexpr std::int64_t kBackdateSeconds = 3600;  // the clocks of clients may be behind
constexpr std::int64_t kSecondsPerDay = 86'400;
constexpr int kSerialBits = 127;
constexpr long kVersion3 = 2;  // counted from zero
constexpr std::size_t kLongestHost = 253;
constexpr mode_t kSecret = 0600;
constexpr mode_t kPublic = 0644;

template <auto Free>
struct Freer {
  template <class T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freer<X509_free>>;
using Names = std::unique_ptr<GENERAL_NAMES, Freer<GENERAL_NAMES_free>>;
using Bio = std::unique_ptr<BIO, Freer<BIO_free_all>>;
using Number = std::unique_ptr<BIGNUM, Freer<BN_free>>;
using Moment = std::unique_ptr<ASN1_TIME, Freer<ASN1_TIME_free>>;

struct Authority {
  Certificate certificate;
  Key key;
};

std::string OpenSslText() {
  char text[256];
  ERR_error_string_n(ERR_get_error(), text, sizeof text);
  ERR_clear_error();
  return text;
}

std::unexpected<Error> OpenSslFailure(std::string_view what) {
  return Fail(Code::kInternal, fmt::format("{}: {}", what, OpenSslText()));
}

// ---- files ----

bool Exists(const std::string& path) {
  return access(path.c_str(), F_OK) == 0;
}

// In one step: a crash leaves the old file or the new one.
Status WriteFile(const std::string& path, BIO* content, mode_t mode) {
  char* bytes = nullptr;
  long size = BIO_get_mem_data(content, &bytes);
  std::string temporary = path + ".new";
  auto failure = [&path] {
    return Fail(Code::kUnavailable, fmt::format("cannot write {}: {}", path, std::strerror(errno)),
                "check that the folder exists, may be written and has room");
  };
  unlink(temporary.c_str());
  int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0) return failure();
  bool written = write(fd, bytes, static_cast<std::size_t>(size)) == size && fsync(fd) == 0;
  close(fd);
  if (!written || rename(temporary.c_str(), path.c_str()) != 0) return failure();
  return {};
}

Status WriteKey(const std::string& path, EVP_PKEY* key) {
  Bio bio(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return OpenSslFailure("cannot encode a private key");
  }
  return WriteFile(path, bio.get(), kSecret);
}

Status WriteChain(const std::string& path, std::initializer_list<X509*> chain) {
  Bio bio(BIO_new(BIO_s_mem()));
  for (X509* certificate : chain) {
    if (PEM_write_bio_X509(bio.get(), certificate) != 1) {
      return OpenSslFailure("cannot encode a certificate");
    }
  }
  return WriteFile(path, bio.get(), kPublic);
}

// Null when the file is missing or is not what it should be.
Certificate ReadCertificate(const std::string& path) {
  Bio bio(BIO_new_file(path.c_str(), "r"));
  Certificate found(bio ? PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr) : nullptr);
  ERR_clear_error();
  return found;
}

Key ReadKey(const std::string& path) {
  Bio bio(BIO_new_file(path.c_str(), "r"));
  Key found(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr) : nullptr);
  ERR_clear_error();
  return found;
}

// ---- names ----

Status CheckHost(const std::string& host) {
  auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._:*").contains(c);
  };
  if (!host.empty() && host.size() <= kLongestHost && std::ranges::all_of(host, allowed)) return {};
  return Fail(Code::kInvalid, fmt::format("'{}' is not a host name or address", host),
              "use letters, digits, '-' and '.', or a numeric address");
}

GENERAL_NAME* MakeName(const std::string& host) {
  GENERAL_NAME* name = GENERAL_NAME_new();
  if (ASN1_OCTET_STRING* address = a2i_IPADDRESS(host.c_str())) {
    GENERAL_NAME_set0_value(name, GEN_IPADD, address);
    return name;
  }
  ERR_clear_error();
  ASN1_IA5STRING* text = ASN1_IA5STRING_new();
  ASN1_STRING_set(text, host.data(), static_cast<int>(host.size()));
  GENERAL_NAME_set0_value(name, GEN_DNS, text);
  return name;
}

Result<Names> MakeNames(const std::vector<std::string>& hosts) {
  Names names(GENERAL_NAMES_new());
  for (const char* always : {"localhost", "127.0.0.1", "::1"}) {
    sk_GENERAL_NAME_push(names.get(), MakeName(always));
  }
  for (const std::string& host : hosts) {
    YARD_TRY(CheckHost(host));
    sk_GENERAL_NAME_push(names.get(), MakeName(host));
  }
  return names;
}

bool Contains(const GENERAL_NAMES* names, GENERAL_NAME* wanted) {
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) {
    if (GENERAL_NAME_cmp(sk_GENERAL_NAME_value(names, i), wanted) == 0) return true;
  }
  return false;
}

bool Covers(const X509* certificate, const GENERAL_NAMES* wanted) {
  Names present(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(wanted); ++i) {
    if (!present || !Contains(present.get(), sk_GENERAL_NAME_value(wanted, i))) return false;
  }
  return true;
}

// ---- certificates ----

Status SetSerial(X509* certificate) {
  Number serial(BN_new());
  if (BN_rand(serial.get(), kSerialBits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) != 1) {
    return OpenSslFailure("cannot make a serial number");
  }
  BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(certificate));
  return {};
}

Status AddExtension(X509* certificate, X509* issuer, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  std::unique_ptr<X509_EXTENSION, Freer<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, nid, value));
  if (!extension || X509_add_ext(certificate, extension.get(), -1) != 1) {
    return OpenSslFailure("cannot add a certificate extension");
  }
  return {};
}

// Everything that authority and server certificates have in common, but not signed yet.
Result<Certificate> Draft(const char* common_name, EVP_PKEY* key, Time now, std::int64_t days) {
  Certificate certificate(X509_new());
  X509* x = certificate.get();
  X509_set_version(x, kVersion3);
  YARD_TRY(SetSerial(x));
  std::time_t seconds = now.micros / 1'000'000;
  ASN1_TIME_set(X509_getm_notBefore(x), seconds - kBackdateSeconds);
  ASN1_TIME_set(X509_getm_notAfter(x), seconds + days * kSecondsPerDay);
  X509_NAME* name = X509_get_subject_name(x);
  X509_NAME_add_entry_by_txt(name, "O", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>("Gpuyard"), -1, -1, 0);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(common_name), -1, -1, 0);
  if (X509_set_pubkey(x, key) != 1) return OpenSslFailure("cannot set a public key");
  return certificate;
}

Result<Key> MakeKey() {
  Key key(EVP_EC_gen("P-256"));
  if (!key) return OpenSslFailure("cannot make a key");
  return key;
}

Status Sign(X509* certificate, EVP_PKEY* key) {
  if (X509_sign(certificate, key, EVP_sha256()) == 0) {
    return OpenSslFailure("cannot sign a certificate");
  }
  return {};
}

Result<Authority> MakeAuthority(Time now) {
  YARD_ASSIGN(Key key, MakeKey());
  YARD_ASSIGN(Certificate ca, Draft("Gpuyard local CA", key.get(), now, kAuthorityDays));
  X509* x = ca.get();
  X509_set_issuer_name(x, X509_get_subject_name(x));
  YARD_TRY(AddExtension(x, x, NID_basic_constraints, "critical,CA:TRUE,pathlen:0"));
  YARD_TRY(AddExtension(x, x, NID_key_usage, "critical,keyCertSign,cRLSign"));
  YARD_TRY(AddExtension(x, x, NID_subject_key_identifier, "hash"));
  YARD_TRY(Sign(x, key.get()));
  return Authority{std::move(ca), std::move(key)};
}

Result<Certificate> IssueServer(const Authority& authority, EVP_PKEY* key, GENERAL_NAMES* names,
                                Time now) {
  YARD_ASSIGN(Certificate server, Draft("Gpuyard server", key, now, kServerDays));
  X509* x = server.get();
  X509* issuer = authority.certificate.get();
  X509_set_issuer_name(x, X509_get_subject_name(issuer));
  YARD_TRY(AddExtension(x, issuer, NID_basic_constraints, "critical,CA:FALSE"));
  YARD_TRY(AddExtension(x, issuer, NID_key_usage, "critical,digitalSignature"));
  YARD_TRY(AddExtension(x, issuer, NID_ext_key_usage, "serverAuth"));
  YARD_TRY(AddExtension(x, issuer, NID_subject_key_identifier, "hash"));
  YARD_TRY(AddExtension(x, issuer, NID_authority_key_identifier, "keyid:always"));
  if (X509_add1_ext_i2d(x, NID_subject_alt_name, names, 0, 0) != 1) {
    return OpenSslFailure("cannot add the host names");
  }
  YARD_TRY(Sign(x, authority.key.get()));
  return server;
}

// ---- what is there already ----

bool ExpiresSoon(const X509* certificate, Time now) {
  Moment moment(ASN1_TIME_set(nullptr, now.micros / 1'000'000));
  int days = 0;
  int seconds = 0;
  bool known = ASN1_TIME_diff(&days, &seconds, moment.get(), X509_get0_notAfter(certificate)) == 1;
  return !known || days < kRenewDays;
}

// The key may be null when it is not needed now.
Result<Authority> LoadOrMakeAuthority(const std::string& dir, Time now) {
  std::string certificate_path = dir + "/ca.crt";
  std::string key_path = dir + "/ca.key";
  if (!Exists(certificate_path)) {
    YARD_ASSIGN(Authority made, MakeAuthority(now));
    // The certificate comes last: it marks a complete authority.
    YARD_TRY(WriteKey(key_path, made.key.get()));
    YARD_TRY(WriteChain(certificate_path, {made.certificate.get()}));
    return made;
  }
  Authority found{ReadCertificate(certificate_path), ReadKey(key_path)};
  if (!found.certificate) {
    return Fail(Code::kPrecondition, fmt::format("{} is not a certificate", certificate_path),
                "restore it from a backup, or remove ca.crt and ca.key to make a new authority "
                "that every client must trust again");
  }
  return found;
}

bool IsUsable(const X509* server, EVP_PKEY* key, const Authority& authority) {
  bool fits =
      server && key && X509_check_private_key(server, key) == 1 &&
      X509_verify(const_cast<X509*>(server), X509_get0_pubkey(authority.certificate.get())) == 1;
  ERR_clear_error();
  return fits;
}

Status RenewServer(const TlsFiles& files, const Authority& authority, GENERAL_NAMES* names,
                   Time now) {
  if (!authority.key ||
      X509_check_private_key(authority.certificate.get(), authority.key.get()) != 1) {
    ERR_clear_error();
    return Fail(Code::kPrecondition,
                "a new server certificate is needed, but ca.key is missing or is not the key of "
                "ca.crt",
                "restore ca.key from a backup, or remove ca.crt and ca.key to make a new authority "
                "that every client must trust again");
  }
  YARD_ASSIGN(Key key, MakeKey());
  YARD_ASSIGN(Certificate server, IssueServer(authority, key.get(), names, now));
  YARD_TRY(WriteKey(files.private_key, key.get()));
  return WriteChain(files.certificate_chain, {server.get(), authority.certificate.get()});
}

}  // namespace

Result<TlsFiles> EnsureCertificates(const std::string& dir, const std::vector<std::string>& hosts,
                                    const Clock& clock) {
  Time now = clock.Now();
  TlsFiles files{dir + "/server.crt", dir + "/server.key"};
  YARD_ASSIGN(Names names, MakeNames(hosts));
  YARD_ASSIGN(Authority authority, LoadOrMakeAuthority(dir, now));
  Certificate server = ReadCertificate(files.certificate_chain);
  Key key = ReadKey(files.private_key);
  bool keep = IsUsable(server.get(), key.get(), authority) && !ExpiresSoon(server.get(), now) &&
              Covers(server.get(), names.get());
  if (!keep) YARD_TRY(RenewServer(files, authority, names.get(), now));
  return files;
}

}  // namespace yard::http
