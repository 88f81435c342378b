#include "app/settings.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "base/strings.h"
#include "cli/yaml.h"

namespace yard::app {
namespace {

using Kind = SettingSpec::Kind;

constexpr std::int64_t kMaxBytes = INT64_C(1) << 30;

constexpr std::array kSpecs = {
    SettingSpec{"data-dir", Kind::kPath, "", 0, 0, "",
                "where everything is kept; made if it is not there"},
    SettingSpec{"listen", Kind::kAddress, "127.0.0.1:8470", 0, 0, "",
                "HOST:PORT to serve on; port 0 takes any free one"},
    SettingSpec{"tools-listen", Kind::kText, "", 0, 0, "",
                "HOST:PORT for the web pages of workloads, apart from the dashboard; off: none; "
                "default the port after that of listen"},
    SettingSpec{"tools-url", Kind::kUrl, "", 0, 0, "http|https",
                "where browsers reach tools-listen; default the host of the dashboard's address"},
    SettingSpec{"tls", Kind::kChoice, "auto", 0, 0, "off|auto|files",
                "off: plain HTTP; auto: certificate from the local authority; files: your own"},
    SettingSpec{"tls-cert", Kind::kPath, "", 0, 0, "", "certificate chain in PEM, for tls: files"},
    SettingSpec{"tls-key", Kind::kPath, "", 0, 0, "", "private key in PEM, for tls: files"},
    SettingSpec{"tls-hosts", Kind::kText, "", 0, 0, "",
                "more names or addresses for the automatic certificate, separated by commas"},
    SettingSpec{"socket", Kind::kPath, "", 0, 0, "",
                "unix socket for users of this machine; default DATA-DIR/gpuyard.sock"},
    SettingSpec{"log-level", Kind::kChoice, "info", 0, 0, "debug|info|warning|error",
                "least severity that is logged, one JSON object a line on standard error"},
    SettingSpec{"threads", Kind::kWhole, "2", 1, 256, "", "I/O threads"},
    SettingSpec{"max-connections", Kind::kWhole, "10000", 1, 1'000'000, "", "connections at once"},
    SettingSpec{"max-body-bytes", Kind::kWhole, "8388608", 1024, kMaxBytes, "",
                "largest request body"},
    SettingSpec{"max-bodies-bytes", Kind::kWhole, "67108864", 1 << 20, kMaxBytes, "",
                "all request bodies in memory together; those up to 16 KiB do not count"},
    SettingSpec{"max-header-bytes", Kind::kWhole, "16384", 1024, 1 << 20, "",
                "largest request header"},
    SettingSpec{"request-timeout-seconds", Kind::kWhole, "60", 1, 3600, "",
                "longest time to answer or to read one request"},
    SettingSpec{"idle-timeout-seconds", Kind::kWhole, "75", 1, 86400, "",
                "how long a quiet connection is kept"},
    SettingSpec{"stop-grace-seconds", Kind::kWhole, "10", 0, 600, "",
                "how long running requests may take when the server is told to stop"},
    SettingSpec{"engine", Kind::kChoice, "local", 0, 0, "local|sim|none",
                "what runs work: this machine, machines in memory for trying things, or nothing"},
    SettingSpec{"declared-gpus", Kind::kText, "", 0, 0, "",
                "GPUs of a machine that has none, such as 8xA100:40Gi; always shown as declared"},
    SettingSpec{"gpu-slices", Kind::kChoice, "on", 0, 0, "on|off",
                "whether a part of a GPU is enforced in the work itself, or only counted"},
    SettingSpec{"gpu-over-limit", Kind::kText, "refuse", 0, 0, "",
                "what happens to work that holds more GPU memory than its part: warn, refuse, "
                "freeze or kill; for single projects: refuse,PROJECT=kill,PROJECT=warn"},
    SettingSpec{"native-tasks", Kind::kChoice, "owner", 0, 0, "owner|isolated|self|root|off",
                "as whom work without an image runs: its owner's account, a user id of its own for "
                "each person, or (for one person, on this machine only) the server's account"},
    SettingSpec{"native-accounts", Kind::kText, "", 0, 0, "",
                "accounts that may run work, by name or @group; empty: all with uid 1000 or above"},
    SettingSpec{"operator-account", Kind::kText, "", 0, 0, "",
                "with isolated: the machine's account for work of the first administrator"},
    SettingSpec{"server-account", Kind::kText, "auto", 0, 0, "",
                "whose rights a server started as root goes on with: an account, auto (gpuyard, or "
                "an id of its own), or root; its engine stays root in a process of its own"},
    SettingSpec{"task-dir", Kind::kPath, "", 0, 0, "",
                "where tasks have their folders; default beside data-dir, or in it if not root"},
    SettingSpec{
        "ftps-listen", Kind::kText, "", 0, 0, "",
        "HOST:PORT for uploads by FTPS, from port 1024 on; empty: none. Needs root and proftpd"},
    SettingSpec{
        "ftps-passive-ports", Kind::kText, "", 0, 0, "",
        "FIRST-LAST, the ports of its transfers; default the 100 after that of ftps-listen"},
    SettingSpec{"ftps-dir", Kind::kPath, "", 0, 0, "",
                "where files that come by FTPS lie; root's; default beside data-dir"},
    SettingSpec{"container-socket", Kind::kText, "", 0, 0, "",
                "the socket of podman or docker; empty: where they usually are"},
    SettingSpec{"trusted-proxies", Kind::kText, "", 0, 0, "",
                "addresses or networks whose X-Forwarded-For is believed, separated by commas"},
    SettingSpec{"retention-days", Kind::kWhole, "90", 1, 36500, "",
                "how long audit log and workload events are kept"},
    SettingSpec{"ended-days", Kind::kText, "30", 0, 0, "",
                "how long ended work is kept; for single projects: 30,PROJECT=365"},
    SettingSpec{"ended-workloads", Kind::kText, "1000000", 0, 0, "",
                "how many ended workloads each project keeps; for single projects as ended-days"},
    SettingSpec{"ended-mib", Kind::kText, "2048", 0, 0, "",
                "how many MiB of records of ended work each project keeps; as ended-days"},
    SettingSpec{"max-artifact-mib", Kind::kWhole, "51200", 1, 1 << 24, "",
                "largest file that a run may store"},
    SettingSpec{"artifacts-mib", Kind::kWhole, "0", 0, 1 << 30, "",
                "how many MiB the files of each project's runs may take; 0: what the disk has"},
    SettingSpec{"public-url", Kind::kUrl, "", 0, 0, "http|https",
                "where people reach this server, for links in messages; default its own address"},
    SettingSpec{"oidc-issuer", Kind::kUrl, "", 0, 0, "https|http",
                "identity provider (OpenID Connect); empty: people sign in here only"},
    SettingSpec{"oidc-name", Kind::kText, "single sign-on", 0, 0, "",
                "what the button on the sign-in page calls it"},
    SettingSpec{"oidc-client-id", Kind::kText, "gpuyard", 0, 0, "", "this server's name there"},
    SettingSpec{"oidc-client-secret-file", Kind::kPath, "", 0, 0, "",
                "file that holds the client's secret; empty: a public client"},
    SettingSpec{"oidc-scopes", Kind::kText, "openid email profile groups", 0, 0, "",
                "what is asked for, separated by spaces"},
    SettingSpec{"oidc-email-claim", Kind::kText, "email", 0, 0, "",
                "claim that holds the e-mail address"},
    SettingSpec{"oidc-groups-claim", Kind::kText, "groups", 0, 0, "",
                "claim that lists the groups; access rules that name them say who may do what"},
    SettingSpec{"oidc-take-over", Kind::kChoice, "off", 0, 0, "off|verified-email",
                "whether a user with a password goes on as the one of the same verified e-mail"},
    SettingSpec{"oidc-ca-file", Kind::kPath, "", 0, 0, "",
                "certificates that sign the identity provider; default the system's"},
    SettingSpec{"notify-smtp-url", Kind::kUrl, "", 0, 0, "smtp|smtps",
                "the mail server, such as smtp://mail.example.org:587; empty: no mail is sent"},
    SettingSpec{"notify-smtp-user", Kind::kText, "", 0, 0, "", "who signs in at the mail server"},
    SettingSpec{"notify-smtp-password-file", Kind::kPath, "", 0, 0, "",
                "file that holds the password for it"},
    SettingSpec{"notify-from", Kind::kMailAddress, "", 0, 0, "",
                "sender of mails; default gpuyard@ this machine"},
    SettingSpec{"notify-ca-file", Kind::kPath, "", 0, 0, "",
                "certificates that sign mail servers and targets; default the system's"},
    SettingSpec{"notify-private-targets", Kind::kChoice, "administrators", 0, 0,
                "allow|administrators|deny",
                "whose notification rules may reach addresses that are not public"},
};

// Variables of this family that are not settings of the server.
constexpr std::array<std::string_view, 5> kOtherVariables = {
    "GPUYARD_ADMIN_PASSWORD", "GPUYARD_URL", "GPUYARD_TOKEN", "GPUYARD_CONFIG", "GPUYARD_CA_FILE"};

std::vector<std::string_view> Names() {
  std::vector<std::string_view> names;
  names.reserve(kSpecs.size());
  for (const SettingSpec& spec : kSpecs) names.push_back(spec.name);
  return names;
}

std::string Hint(std::optional<std::string_view> near) {
  return near ? fmt::format("; did you mean '{}'?", *near) : "";
}

// Empty stands for none.
std::string UrlProblem(const SettingSpec& spec, const std::string& value) {
  if (value.empty()) return "";
  std::size_t end = value.find("://");
  std::vector<std::string_view> schemes = Split(spec.choices, '|');
  bool known =
      end != std::string::npos && std::ranges::find(schemes, value.substr(0, end)) != schemes.end();
  if (known && value.size() > end + 3 && !value.contains(' ')) return "";
  return fmt::format("'{}' is not a URL that begins with {}://", value,
                     fmt::join(schemes, ":// or "));
}

std::string MailAddressProblem(const std::string& value) {
  std::size_t at = value.find('@');
  bool whole = at != std::string::npos && at > 0 && at + 1 < value.size();
  bool plain = std::ranges::none_of(value, [](char c) { return c <= ' ' || c == '<' || c == '>'; });
  return value.empty() || (whole && plain) ? "" : fmt::format("'{}' is not a mail address", value);
}

// What is wrong with a value; empty if nothing is.
std::string Problem(const SettingSpec& spec, const std::string& value) {
  switch (spec.kind) {
    case Kind::kText:
    case Kind::kPath:
      return "";
    case Kind::kAddress: {
      Result<Address> address = ParseAddress(value);
      return address ? "" : address.error().message;
    }
    case Kind::kWhole: {
      std::optional<std::int64_t> number = ParseInt(value);
      if (number && *number >= spec.least && *number <= spec.most) return "";
      return fmt::format("'{}' is not a whole number from {} to {}", value, spec.least, spec.most);
    }
    case Kind::kChoice: {
      std::vector<std::string_view> choices = Split(spec.choices, '|');
      if (std::ranges::find(choices, value) != choices.end()) return "";
      return fmt::format("'{}' is not one of {}{}", value, fmt::join(choices, ", "),
                         Hint(Nearest(value, choices)));
    }
    case Kind::kUrl:
      return UrlProblem(spec, value);
    case Kind::kMailAddress:
      return MailAddressProblem(value);
  }
  return "";
}

class Resolver {
 public:
  void Offer(const SettingSpec& spec, std::string value, std::string origin) {
    values_.insert_or_assign(std::string(spec.name), Setting{std::move(value), std::move(origin)});
  }

  void TakeDefaults(const NamedTexts& overrides) {
    for (const SettingSpec& spec : kSpecs) {
      auto found = overrides.find(spec.name);
      Offer(spec, found == overrides.end() ? std::string(spec.initial) : found->second, "default");
    }
  }

  Status TakeFile(const std::string& path, const std::string& text) {
    auto named = [&](Error error) {
      error.message = fmt::format("{}: {}", path, error.message);
      return Fail(std::move(error));
    };
    Result<std::vector<cli::YamlDocument>> read = cli::ReadYaml(text);
    if (!read) return named(read.error());
    if (read->empty()) return {};
    if (read->size() > 1) return named({Code::kInvalid, "holds more than one document"});
    const cli::YamlDocument& document = read->front();
    const json::object* object = document.value().if_object();
    if (object == nullptr) return named({Code::kInvalid, "must be a list of `name: value` lines"});
    for (const auto& [key, value] : *object) {
      const std::string place = fmt::format("{}:{}", path, document.LineOf(key));
      if (key == "clusters") {
        YARD_ASSIGN(clusters_, ReadClusters(place, value));
      } else {
        YARD_TRY(TakeFileValue(place, key, value));
      }
    }
    return {};
  }

  Status TakeEnvironment(const NamedTexts& environment) {
    for (const auto& [variable, value] : environment) {
      const SettingSpec* spec = FindByVariable(variable);
      if (spec != nullptr) {
        Offer(*spec, value, "env " + variable);
      } else if (std::ranges::find(kOtherVariables, variable) == kOtherVariables.end()) {
        return UnknownVariable(variable);
      }
    }
    return {};
  }

  void TakeFlags(const NamedTexts& flags) {
    for (const SettingSpec& spec : kSpecs) {
      auto found = flags.find(spec.name);
      if (found != flags.end()) Offer(spec, found->second, fmt::format("flag --{}", spec.name));
    }
  }

  Result<Settings> Finish() {
    for (const SettingSpec& spec : kSpecs) {
      const Setting& setting = values_.find(spec.name)->second;
      std::string problem = Problem(spec, setting.value);
      if (problem.empty()) continue;
      return Fail(Code::kInvalid, fmt::format("{}: {}: {}", setting.origin, spec.name, problem),
                  std::string(spec.help));
    }
    return Settings(std::move(values_), std::move(clusters_));
  }

 private:
  static const SettingSpec* FindByVariable(std::string_view variable) {
    auto found = std::ranges::find_if(
        kSpecs, [&](const SettingSpec& spec) { return VariableOf(spec.name) == variable; });
    return found == kSpecs.end() ? nullptr : &*found;
  }

  static Status UnknownVariable(const std::string& variable) {
    std::vector<std::string> names(kOtherVariables.begin(), kOtherVariables.end());
    for (const SettingSpec& spec : kSpecs) names.push_back(VariableOf(spec.name));
    std::vector<std::string_view> views(names.begin(), names.end());
    return Fail(
        Code::kInvalid,
        fmt::format("env {}: there is no such setting{}", variable, Hint(Nearest(variable, views))),
        "unset it, or see `gpuyard config show`");
  }

  Status TakeFileValue(const std::string& place, std::string_view key, const json::value& value) {
    auto found = std::ranges::find(kSpecs, key, &SettingSpec::name);
    if (found == kSpecs.end()) {
      return Fail(
          Code::kInvalid,
          fmt::format("{}: there is no setting '{}'{}", place, key, Hint(Nearest(key, Names()))),
          "`gpuyard config show` lists every setting");
    }
    if (value.is_structured() || value.is_null()) {
      return Fail(Code::kInvalid, fmt::format("{}: {} must be a single value", place, key));
    }
    // YAML has read `off` as a text already; a true or 12 goes back to what was written.
    const json::string* text = value.if_string();
    Offer(*found, text != nullptr ? std::string(*text) : json::serialize(value), place);
    return {};
  }

  std::map<std::string, Setting, std::less<>> values_;
  std::vector<ClusterSettings> clusters_;
};

}  // namespace

std::span<const SettingSpec> SettingSpecs() {
  return kSpecs;
}

const Setting& Settings::Find(std::string_view name) const {
  auto found = values_.find(name);
  YARD_CHECK(found != values_.end());
  return found->second;
}

std::int64_t Settings::Whole(std::string_view name) const {
  return ParseInt(Text(name)).value_or(0);
}

Result<Settings> ResolveSettings(const SettingSources& sources) {
  Resolver resolver;
  resolver.TakeDefaults(sources.defaults);
  if (!sources.file_path.empty()) {
    YARD_TRY(resolver.TakeFile(sources.file_path, sources.file_text));
  }
  YARD_TRY(resolver.TakeEnvironment(sources.environment));
  resolver.TakeFlags(sources.flags);
  return resolver.Finish();
}

std::string VariableOf(std::string_view setting) {
  std::string variable = "GPUYARD_";
  for (char c : setting) {
    variable += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return variable;
}

Result<Address> ParseAddress(std::string_view text) {
  auto refuse = [&] {
    return Fail(Code::kInvalid, fmt::format("'{}' is not HOST:PORT", text),
                "for example 127.0.0.1:8470, [::1]:8470 or 0.0.0.0:443");
  };
  std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return refuse();
  std::string_view host = text.substr(0, colon);
  std::optional<std::int64_t> port = ParseInt(text.substr(colon + 1));
  bool bracketed = host.starts_with('[') && host.ends_with(']') && host.size() > 2;
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!port || *port < 0 || *port > std::numeric_limits<std::uint16_t>::max()) return refuse();
  if (!bracketed && host.contains(':')) return refuse();
  return Address{std::string(host), static_cast<std::uint16_t>(*port)};
}

bool IsLoopback(const Address& address) {
  return address.host == "localhost" || address.host == "::1" || address.host.starts_with("127.");
}

}  // namespace yard::app
