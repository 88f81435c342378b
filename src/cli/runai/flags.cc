#include "cli/runai/flags.h"

#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/submit/parse.h"
#include "cli/submit/resources.h"

namespace yard::cli::runai {
namespace {

Result<Value> ReadValue(Reads reads, std::string_view text) {
  switch (reads) {
    case Reads::kNumber: {
      YARD_ASSIGN(double number, ParseAmount(text));
      return Value(number);
    }
    case Reads::kCount: {
      YARD_ASSIGN(std::int64_t count, ParseCount(text, 0));
      return Value(count);
    }
    case Reads::kSize: {
      YARD_ASSIGN(std::string size, ParseSize(text, ""));
      return Value(size);
    }
    case Reads::kSpan: {
      YARD_ASSIGN(Micros span, ParseDuration(text));
      return Value(span.value / 1'000'000);
    }
    case Reads::kList: {
      std::vector<std::string> words;
      for (std::string_view word : Split(text, ',')) words.emplace_back(Trim(word));
      return Value(words);
    }
    case Reads::kFlag:
      return Value(text != "false");
    case Reads::kText:
    case Reads::kLabel:
    case Reads::kVariable:
    case Reads::kRefused:
      break;
  }
  return Value(std::string(text));
}

std::string ValueName(Reads reads) {
  switch (reads) {
    case Reads::kNumber:
    case Reads::kCount:
      return "N";
    case Reads::kSize:
      return "SIZE";
    case Reads::kSpan:
      return "SPAN";
    case Reads::kList:
      return "LIST";
    case Reads::kLabel:
    case Reads::kVariable:
      return "K=V";
    case Reads::kFlag:
    case Reads::kText:
    case Reads::kRefused:
      break;
  }
  return "TEXT";
}

// "readwrite" says the opposite of the API's field.
void Negate(Item& item, std::string_view field) {
  for (auto& [name, value] : item.fields) {
    if (name == field) value = !std::get<bool>(value);
  }
}

const CsvKey* FindKey(const CsvFlag& flag, std::string_view key) {
  for (const CsvKey& known : flag.keys) {
    if (known.key == key) return &known;
  }
  return nullptr;
}

std::unexpected<Error> UnknownKey(const CsvFlag& flag, std::string_view key) {
  std::vector<std::string_view> names;
  for (const CsvKey& known : flag.keys) names.push_back(known.key);
  return Fail(Code::kInvalid, fmt::format("'{}' is not a key of it", key),
              fmt::format("keys are {}", fmt::join(names, ", ")));
}

std::string PercentEncoded(std::string_view text) {
  std::string encoded;
  for (char c : text) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 std::string_view("-._~").contains(c);
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

// "username=…,password=…" go into the repository's URL, where every answer masks them.
Status TakeGitUser(Item& item) {
  std::string user = item.Text("username");
  std::string password = item.Text("password");
  if (user.empty() && password.empty()) return {};
  std::string repository = item.Text("repository");
  std::size_t scheme = repository.find("://");
  if (!repository.starts_with("http") || scheme == std::string::npos)
    return Fail(Code::kInvalid, "username and password need an https:// source",
                "store them as a credential and name it with secret=");
  std::string person = PercentEncoded(user.empty() ? "git" : user);
  if (!password.empty()) person += ":" + PercentEncoded(password);
  item.Set("repository", repository.insert(scheme + 3, person + "@"));
  std::erase_if(item.fields,
                [](const auto& f) { return f.first == "username" || f.first == "password"; });
  return {};
}

}  // namespace

Status SetField(Spec& spec, const SpecFlag& flag, const std::string& text) {
  if (flag.reads == Reads::kVariable) return SetVariable(spec, text);
  if (flag.reads == Reads::kLabel) {
    YARD_ASSIGN(auto pair, ParseAssignment(text));
    spec.Append(std::string(flag.path), {{{"name", pair.first}, {"value", pair.second}}});
    return {};
  }
  YARD_ASSIGN(Value value, ReadValue(flag.reads, text));
  // A list may be said in pieces.
  const Value* before = flag.reads == Reads::kList ? spec.Find(flag.path) : nullptr;
  if (before != nullptr) {
    auto words = std::get<std::vector<std::string>>(*before);
    for (const std::string& word : std::get<std::vector<std::string>>(value)) words.push_back(word);
    value = std::move(words);
  }
  spec.Set(std::string(flag.path), std::move(value));
  return {};
}

Result<Item> ReadItem(const CsvFlag& flag, std::string_view text) {
  Item item;
  bool says_access = false;
  for (const auto& [key, value] : ParseCsv(text)) {
    const CsvKey* known = FindKey(flag, key);
    if (known == nullptr) return UnknownKey(flag, key);
    if (known->reads == Reads::kRefused)
      return Fail(Code::kInvalid, fmt::format("{}= would show a secret to everybody here", key),
                  "store it as a credential, see `gpuyard apply`, and name that with secret=");
    YARD_ASSIGN(Value read, ReadValue(known->reads, value));
    item.Set(std::string(known->field), std::move(read));
    if (key == "readwrite") {
      Negate(item, known->field);
      says_access = true;
    }
  }
  // What may be mounted for writing is read-only unless it says otherwise.
  if (const CsvKey* access = FindKey(flag, "readwrite"); access != nullptr && !says_access)
    item.Set(std::string(access->field), true);
  if (flag.path == "storage.git") YARD_TRY(TakeGitUser(item));
  if (flag.path == "storage.pvc") {
    bool fresh = !item.Text("claimInfo.size").empty();
    item.Set("existingPvc", !fresh);
  }
  return item;
}

void AddSpecFlags(Verb& verb, std::span<const SpecFlag> flags, Spec& spec) {
  for (const SpecFlag& flag : flags) {
    std::string names(flag.flags);
    std::string help(flag.help);
    if (flag.reads == Reads::kFlag) {
      verb.TakeFlag(names, [&spec, &flag](bool on) { spec.Set(std::string(flag.path), on); }, help);
      continue;
    }
    verb.Take(
        names, [&spec, &flag](const std::string& text) { return SetField(spec, flag, text); }, help,
        ValueName(flag.reads));
  }
}

void AddCsvFlags(Verb& verb, std::span<const CsvFlag> flags, Spec& spec) {
  for (const CsvFlag& flag : flags) {
    auto read = [&spec, &flag](const std::string& text) -> Status {
      YARD_ASSIGN(Item item, ReadItem(flag, text));
      spec.Append(std::string(flag.path), std::move(item));
      return {};
    };
    verb.Take(std::string(flag.flags), read, std::string(flag.help), "K=V,…");
  }
}

}  // namespace yard::cli::runai
