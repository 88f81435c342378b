#include "engine/local/containers/image.h"

#include <sodium.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/json.h"
#include "base/strings.h"

namespace yard::engine::containers {
namespace {

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._-/:@").contains(c);
}

std::string Base64Url(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE;
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kVariant);
  text.pop_back();  // the terminating zero
  return text;
}

}  // namespace

Result<std::string> FullName(std::string_view image) {
  auto invalid = [&](std::string_view why) {
    return Fail(Code::kInvalid, fmt::format("'{}' is not the name of an image: {}", image, why),
                "write it like python:3.12 or registry.example.org/team/image:tag");
  };
  if (image.empty()) return invalid("it is empty");
  if (!std::ranges::all_of(image, IsNameCharacter)) return invalid("it has a wrong character");
  if (image.contains('@')) return std::string(image);
  std::size_t slash = image.rfind('/');
  std::string_view last = slash == std::string_view::npos ? image : image.substr(slash + 1);
  if (last.empty() || last.starts_with(':')) return invalid("its last part is missing");
  if (last.ends_with(':')) return invalid("its tag is missing");
  std::string_view name = image.substr(0, image.size() - last.size() + last.find(':'));
  if (!last.contains(':')) name = image;
  // A registry may be written in any case; repositories may not.
  std::size_t first = name.find('/');
  bool has_registry = first != std::string_view::npos && RegistryOf(image) == name.substr(0, first);
  std::string_view repository = has_registry ? name.substr(first + 1) : name;
  if (Lower(repository) != repository) return invalid("repositories are written in small letters");
  return last.contains(':') ? std::string(image) : fmt::format("{}:latest", image);
}

std::string RegistryOf(std::string_view image) {
  std::size_t slash = image.find('/');
  if (slash == std::string_view::npos) return "docker.io";
  std::string_view first = image.substr(0, slash);
  bool is_host = first == "localhost" || first.find_first_of(".:") != std::string_view::npos;
  return is_host ? std::string(first) : "docker.io";
}

std::string RegistryAuth(std::string_view image, std::string_view user, std::string_view password) {
  std::string text = R"({"username":)";
  AppendJsonString(text, user);
  text += R"(,"password":)";
  AppendJsonString(text, password);
  text += R"(,"serveraddress":)";
  AppendJsonString(text, RegistryOf(image));
  text += '}';
  return Base64Url(text);
}

}  // namespace yard::engine::containers
