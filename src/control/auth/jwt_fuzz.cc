// Any bytes as a token: the parser must refuse them without reading astray, and what it accepts
// must carry our signature.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "control/auth/tokens.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yard::control;
  static const TokenKey key(TokenKey::Seed{1, 2, 3});
  std::string_view text(reinterpret_cast<const char*>(data), size);
  YARD_CHECK(!VerifyToken(key, text).has_value());
  if (auto bytes = DecodeBase64Url(text)) YARD_CHECK(EncodeBase64Url(*bytes) == text);
  // The payload parser lies behind the signature: reach it with a signature of our own.
  std::string signed_text = EncodeBase64Url(R"({"alg":"EdDSA","typ":"JWT"})") + "." +
                            EncodeBase64Url(text.substr(0, 2048));
  signed_text += "." + EncodeBase64Url(key.Sign(signed_text));
  if (auto claims = VerifyToken(key, signed_text)) {
    YARD_CHECK(VerifyToken(key, IssueToken(key, *claims)).has_value());
  }
  return 0;
}
