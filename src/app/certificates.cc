#include "app/certificates.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/time.h"

namespace yard::app {
namespace {

std::string HostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

bool IsEveryAddress(const std::string& host) {
  return host.empty() || host == "0.0.0.0" || host == "::";
}

// The names that the automatic certificate must be good for.
std::vector<std::string> CertificateHosts(const Settings& settings, const Address& listen) {
  std::vector<std::string> hosts;
  for (std::string_view host : Split(settings.Text("tls-hosts"), ',')) {
    if (!Trim(host).empty()) hosts.emplace_back(Trim(host));
  }
  if (IsLoopback(listen)) return hosts;
  hosts.push_back(HostOf(listen));
  return hosts;
}

}  // namespace

std::string HostOf(const Address& listen) {
  return IsEveryAddress(listen.host) ? HostName() : listen.host;
}

Result<std::optional<http::TlsFiles>> PrepareTls(const Settings& settings, const Address& listen) {
  if (settings.Text("tls") == "off") return std::nullopt;
  return OwnCertificate(settings, listen);
}

Result<http::TlsFiles> OwnCertificate(const Settings& settings, const Address& listen) {
  if (settings.Text("tls") == "files") {
    http::TlsFiles files{settings.Text("tls-cert"), settings.Text("tls-key")};
    if (files.certificate_chain.empty() || files.private_key.empty()) {
      return Fail(Code::kInvalid, "tls: files needs a certificate and a key",
                  "set tls-cert and tls-key");
    }
    return files;
  }
  std::string folder = settings.Text("data-dir") + "/tls";
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return Fail(Code::kUnavailable,
                fmt::format("cannot make {}: {}", folder, std::strerror(errno)));
  }
  return http::EnsureCertificates(folder, CertificateHosts(settings, listen), SystemClock());
}

}  // namespace yard::app
