#include "wire/stored.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/json_text.h"
#include "base/mask.h"
#include "base/trusted_json.h"
#include "wire/reader.h"
#include "wire/visit_org.h"
#include "wire/visit_workload.h"
#include "wire/writer.h"

namespace yard::wire {
namespace {

constexpr std::array<std::string_view, 6> kSecretFields{"passwordHash", "secretHash",   "sealedUrl",
                                                        "sealedKey",    "sealedSecret", "body"};

constexpr std::string_view kHidden = "(hidden)";

// Environment variables are listed under this name in workloads, assets and policies alike.
constexpr std::string_view kVariableList = "environmentVariables";

enum class Within { kAnything, kVariables };

// Names of variables stay, values do not: people put passwords and keys into them.
void HideVariables(json::value& value, Within within) {
  if (json::array* array = value.if_array()) {
    for (json::value& item : *array) HideVariables(item, within);
  }
  json::object* object = value.if_object();
  if (object == nullptr) return;
  for (auto& pair : *object) {
    bool listed = within == Within::kVariables;
    if (listed && pair.key() == "value" && !pair.value().is_null()) {
      pair.value() = kHidden;
    } else {
      HideVariables(pair.value(), pair.key() == kVariableList ? Within::kVariables : within);
    }
  }
}

using Decoder = Result<Object> (*)(const json::object&);

template <class T>
Result<Object> DecodeAs(const json::object& object) {
  auto value = std::make_shared<T>();
  std::vector<FieldIssue> issues;
  Reader reader(object, "", issues);
  Visit(reader, *value);
  if (!issues.empty()) {
    return Fail(Code::kInternal, fmt::format("stored {} is damaged: {} {}", KindOf(Ptr<T>(value)),
                                             issues[0].field, issues[0].problem));
  }
  return Ptr<T>(std::move(value));
}

struct KindDecoder {
  std::string_view kind;
  Decoder decode;
};

template <class... Ts>
const std::array<KindDecoder, sizeof...(Ts)>& Decoders(TypeList<Ts...>) {
  static const std::array<KindDecoder, sizeof...(Ts)> decoders{
      KindDecoder{KindOf(Object(Ptr<Ts>())), &DecodeAs<Ts>}...};
  return decoders;
}

}  // namespace

Life LifeOf(Phase phase, std::string_view reason) {
  switch (phase) {
    case Phase::kCreating:
      return Life::kNew;
    case Phase::kPending:
      return Life::kWaiting;
    case Phase::kInitializing:
      return reason == ReasonOf(Life::kReturning) ? Life::kReturning : Life::kStarting;
    case Phase::kRunning:
    case Phase::kUpdating:
    case Phase::kDegraded:
      return reason == ReasonOf(Life::kLeaving) ? Life::kLeaving : Life::kRunning;
    case Phase::kStopping:
    case Phase::kTerminating:
      return reason == ReasonOf(Life::kCancelling) ? Life::kCancelling : Life::kSuspending;
    case Phase::kStopped:
    case Phase::kUnknown:
      if (reason == ReasonOf(Life::kParked)) return Life::kParked;
      return reason == ReasonOf(Life::kCancelled) ? Life::kCancelled : Life::kSuspended;
    case Phase::kResuming:
      return Life::kResuming;
    case Phase::kCompleted:
      return Life::kCompleted;
    case Phase::kFailed:
      return Life::kFailed;
    case Phase::kDeleting:
      return Life::kDeleting;
  }
  return Life::kSuspended;
}

std::string EncodeStored(const Object& object) {
  std::string out;
  out.reserve(512);
  Writer writer(out);
  std::visit([&](const auto& o) { writer.Value(*o); }, object);
  return out;
}

Result<Object> DecodeStored(std::string_view kind, std::string_view text) {
  YARD_ASSIGN(json::value value, ParseTrustedJson(text));
  if (!value.is_object())
    return Fail(Code::kInternal, fmt::format("stored {} is not an object", kind));
  for (const KindDecoder& decoder : Decoders(ObjectTypes{})) {
    if (decoder.kind == kind) return decoder.decode(value.get_object());
  }
  return Fail(Code::kUnsupported,
              fmt::format("this version does not know objects of kind '{}'", kind),
              "the data directory was written by a newer version: use that one");
}

std::string HideSecrets(std::string_view text) {
  auto value = ParseTrustedJson(text);
  if (!value || !value->is_object()) return "{}";
  for (std::string_view field : kSecretFields) {
    if (json::value* secret = value->get_object().if_contains(field)) *secret = kHidden;
  }
  HideVariables(*value, Within::kAnything);
  return MaskUrls(JsonText(*value));
}

}  // namespace yard::wire
