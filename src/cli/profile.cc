#include "cli/profile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/yaml.h"

namespace yard::cli {
namespace {

struct Field {
  std::string_view key;
  std::string Profile::* member;
};
constexpr std::array kFields = {
    Field{"url", &Profile::url},         Field{"user", &Profile::user},
    Field{"token", &Profile::token},     Field{"refresh-token", &Profile::refresh_token},
    Field{"ca-file", &Profile::ca_file}, Field{"project", &Profile::project}};

Status Take(Profile& profile, std::string_view key, const json::value& value, int line) {
  std::vector<std::string_view> names;
  for (const Field& field : kFields) {
    names.push_back(field.key);
    if (field.key != key) continue;
    const json::string* text = value.if_string();
    if (text == nullptr && !value.is_null())
      return Fail(Code::kInvalid, fmt::format("line {}: {} must be a text", line, key));
    if (text != nullptr) profile.*field.member = std::string(*text);
    return {};
  }
  std::optional<std::string_view> near = Nearest(key, names);
  return Fail(Code::kInvalid, fmt::format("line {}: there is no key '{}'{}", line, key,
                                          near ? fmt::format("; did you mean '{}'?", *near) : ""));
}

std::unexpected<Error> FailFile(std::string_view what, const std::string& path) {
  return Fail(Code::kInvalid, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

Status WriteAll(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    ssize_t written = write(file, text.data(), text.size());
    if (written < 0) return FailFile("write", path);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

Result<Profile> ParseProfile(std::string_view yaml) {
  YARD_ASSIGN(std::vector<YamlDocument> documents, ReadYaml(yaml));
  Profile profile;
  if (documents.empty()) return profile;
  const json::object* object = documents.front().value().if_object();
  if (object == nullptr || documents.size() > 1)
    return Fail(Code::kInvalid, "must be one list of `key: value` lines");
  for (const auto& [key, value] : *object) {
    YARD_TRY(Take(profile, key, value, documents.front().LineOf(key)));
  }
  return profile;
}

std::string FormatProfile(const Profile& profile) {
  json::object object;
  for (const Field& field : kFields) {
    if (!(profile.*field.member).empty()) object.emplace(field.key, profile.*field.member);
  }
  return object.empty() ? std::string() : WriteYaml(object);
}

Result<Profile> LoadProfile(const std::string& path) {
  if (access(path.c_str(), F_OK) != 0) return Profile{};
  std::ifstream file(path, std::ios::binary);
  if (!file) return FailFile("read", path);
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  Result<Profile> profile = ParseProfile(std::move(text).str());
  if (!profile) {
    return Fail(Code::kInvalid, fmt::format("{}: {}", path, profile.error().message),
                "correct the file, or remove it and sign in again");
  }
  return profile;
}

Status SaveProfile(const std::string& path, const Profile& profile) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (std::filesystem::create_directories(folder, error)) chmod(folder.c_str(), 0700);
  std::string part = fmt::format("{}.{}.new", path, getpid());
  int file = open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return FailFile("write", part);
  Status written = WriteAll(file, FormatProfile(profile), part);
  close(file);
  if (written && rename(part.c_str(), path.c_str()) != 0) written = FailFile("write", path);
  if (!written) unlink(part.c_str());
  return written;
}

}  // namespace yard::cli
