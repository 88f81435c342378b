#include "serve/auth/basic.h"

#include <sodium.h>

#include "base/strings.h"

namespace yard::serve {

std::optional<NameAndSecret> SplitSecret(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  return NameAndSecret{std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

std::optional<NameAndSecret> BasicCredentials(std::string_view header) {
  constexpr std::string_view kBasic = "basic ";
  if (!EqualsIgnoreCase(header.substr(0, kBasic.size()), kBasic)) return std::nullopt;
  std::string_view coded = Trim(header.substr(kBasic.size()));
  std::string text(coded.size(), '\0');
  std::size_t bytes = 0;
  int failed =
      sodium_base642bin(reinterpret_cast<unsigned char*>(text.data()), text.size(), coded.data(),
                        coded.size(), nullptr, &bytes, nullptr, sodium_base64_VARIANT_ORIGINAL);
  if (failed != 0) return std::nullopt;
  text.resize(bytes);
  return SplitSecret(text);
}

}  // namespace yard::serve
