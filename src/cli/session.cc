#include "cli/session.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/fd.h"
#include "cli/api_words.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr std::string_view kUnixPrefix = "unix:";

bool IsLocal(std::string_view url) {
  std::size_t start = url.find("://");
  std::string_view host = start == std::string_view::npos ? url : url.substr(start + 3);
  return host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]");
}

}  // namespace

Result<Profile*> Session::profile() {
  if (!profile_) {
    YARD_ASSIGN(Profile loaded, LoadProfile(around_.profile_path));
    profile_ = std::move(loaded);
  }
  return &*profile_;
}

Status Session::Save() {
  return SaveProfile(around_.profile_path, profile_.value_or(Profile{}));
}

Session::Place Session::PlaceOf(const std::string& url, std::string said_by) {
  if (!url.starts_with(kUnixPrefix)) return {url, "", std::move(said_by)};
  return {"http://localhost", url.substr(kUnixPrefix.size()), std::move(said_by)};
}

Outcome<Session::Place> Session::FindServer() {
  if (around_.url) return PlaceOf(*around_.url, "GPUYARD_URL");
  if (around_.socket) return Place{"http://localhost", *around_.socket, "GPUYARD_SOCKET"};
  YARD_ASSIGN(Profile * known, profile());
  if (!known->url.empty()) return PlaceOf(known->url, around_.profile_path);
  for (const std::string& socket : around_.sockets) {
    if (access(socket.c_str(), R_OK | W_OK) == 0)
      return Place{"http://localhost", socket, "the local socket"};
  }
  return std::unexpected(Failure(
      {Code::kUnavailable, "no server is known",
       "start one with `gpuyard up`, sign in with `gpuyard login URL`, or set GPUYARD_URL"}));
}

client::Options Session::OptionsFor(const Place& place, const Profile& profile) const {
  client::Options options{.url = place.url, .unix_socket = place.socket};
  options.wait = around_.wait;
  options.ca_file = around_.ca_file.value_or(profile.ca_file);
  if (options.ca_file.empty() && IsLocal(place.url)) {
    auto readable = [](const std::string& file) { return access(file.c_str(), R_OK) == 0; };
    auto found = std::ranges::find_if(around_.local_cas, readable);
    if (found != around_.local_cas.end()) options.ca_file = *found;
  }
  return options;
}

std::unique_ptr<client::Client> Session::Anonymous(const Place& place,
                                                   const Profile& profile) const {
  return std::make_unique<client::Client>(OptionsFor(place, profile));
}

Outcome<client::Client*> Session::Server() {
  if (client_) return client_.get();
  YARD_ASSIGN(Place place, FindServer());
  YARD_ASSIGN(Profile * known, profile());
  client::Options options = OptionsFor(place, *known);
  // A token belongs to the server it came from.
  bool from_profile = place.said_by == around_.profile_path || around_.url == known->url;
  if (around_.token) {
    options.token = *around_.token;
  } else if (from_profile) {
    options.token = known->token;
    if (!known->refresh_token.empty())
      options.renew_token = [this, place] { return RenewToken(place); };
  }
  client_ = std::make_unique<client::Client>(std::move(options));
  return client_.get();
}

// A refresh token is good once. Of several commands that run at once, one renews and the others
// take what it has stored.
Outcome<std::string> Session::RenewToken(const Place& place) {
  YARD_ASSIGN(Profile * known, profile());
  UniqueFd lock(open((around_.profile_path + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  if (lock) flock(lock.get(), LOCK_EX);
  YARD_ASSIGN(Profile stored, LoadProfile(around_.profile_path));
  if (stored.url == known->url && stored.refresh_token != known->refresh_token) {
    *known = std::move(stored);
    return known->token;
  }
  std::unique_ptr<client::Client> client = Anonymous(place, *known);
  YARD_ASSIGN(Tokens tokens, RequestTokens(*client, {{"grantType", "refresh_token"},
                                                     {"refreshToken", known->refresh_token}}));
  known->token = tokens.access;
  if (!tokens.refresh.empty()) known->refresh_token = tokens.refresh;
  YARD_TRY(Save());
  return known->token;
}

std::string Session::NewKey() {
  std::array<std::uint8_t, 16> bytes{};
  around_.random.Fill(bytes);
  std::string key;
  for (std::uint8_t byte : bytes) key += fmt::format("{:02x}", byte);
  return key;
}

ExitCode Session::Report(const Failure& failure) {
  const Error& error = failure.error;
  const Flags flags = around_.program == "runai" ? Flags::kRunai : Flags::kOurs;
  console_.err << around_.program << ": " << WithFlags(error.message, flags) << '\n';
  for (const FieldIssue& issue : error.fields) {
    if (!error.message.contains(issue.field))
      console_.err << "  " << WithFlags(issue.field, flags) << ' ' << issue.problem << '\n';
  }
  if (std::string details = InOurWords(error.details, flags); !details.empty())
    console_.err << "  " << details << '\n';
  if (failure.status == 401) console_.err << "  sign in with `gpuyard login`\n";
  if (failure.status >= 500 && !failure.request_id.empty())
    console_.err << "  request id: " << failure.request_id << '\n';
  return exit_code = ExitCodeOf(error.code);
}

ExitCode Session::Usage(const Error& error) {
  Report(error);
  return exit_code = ExitCode::kUsage;
}

void Session::Note(std::string_view text) {
  console_.err << text << '\n' << std::flush;
}

void Session::Hint(std::string_view text) {
  if (console_.interactive) Note(text);
}

Outcome<Tokens> RequestTokens(client::Client& client, const json::object& grant) {
  YARD_ASSIGN(json::value answer, client.SendForJson({.method = client::Method::kPost,
                                                      .path = "/api/v1/token",
                                                      .body = json::serialize(grant)}));
  Tokens tokens{TextAt(answer, "accessToken"), TextAt(answer, "refreshToken")};
  if (tokens.access.empty())
    return std::unexpected(Failure({Code::kInternal, "the server's answer holds no token"}));
  return tokens;
}

}  // namespace yard::cli
