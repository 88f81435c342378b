#include "sim/snapshot_json.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "sim/snapshot_fields.h"

namespace yard::sim {
namespace {

template <class T>
concept Wrapped = requires(T x) {
  { x.value } -> std::convertible_to<std::int64_t>;
} && sizeof(T) <= sizeof(std::int64_t) && !std::same_as<T, std::optional<Micros>>;

class Writer {
 public:
  template <class T>
  void operator()(std::string_view name, T& field) {
    if (out_.back() != '{') out_ += ',';
    AppendJsonString(out_, name);
    out_ += ':';
    Put(field);
  }

  template <class T>
  void Put(T& value) {
    if constexpr (std::is_enum_v<T>) {
      AppendJsonString(out_, EnumNames<T>::kNames[static_cast<std::size_t>(value)]);
    } else if constexpr (std::integral<T>) {
      out_ += std::to_string(value);
    } else if constexpr (Wrapped<T>) {
      out_ += std::to_string(value.value);
    } else {
      out_ += '{';
      Fields(*this, value);
      out_ += '}';
    }
  }
  void Put(std::string& text) { AppendJsonString(out_, text); }
  void Put(Time& time) { out_ += std::to_string(time.micros); }
  template <class T>
  void Put(std::optional<T>& value) {
    if (value) return Put(*value);
    out_ += "null";
  }
  template <class T>
  void Put(std::vector<T>& items) {
    out_ += '[';
    for (T& item : items) {
      if (out_.back() != '[') out_ += ',';
      Put(item);
    }
    out_ += ']';
  }

  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

// The first problem is kept; after it nothing more is read.
class Reader {
 public:
  explicit Reader(Status& status) : status_(status) {}

  template <class T>
  void operator()(std::string_view name, T& field) {
    known_.insert(name);
    const json::value* value = object_->if_contains(name);
    if (value == nullptr || value->is_null()) return;
    Take(*value, path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name), field);
  }

  template <class T>
  void Take(const json::value& value, const std::string& path, T& out) {
    if (!status_) return;
    if constexpr (std::is_enum_v<T>) {
      TakeEnum(value, path, out);
    } else if constexpr (std::integral<T>) {
      TakeNumber(value, path, out);
    } else if constexpr (Wrapped<T>) {
      TakeNumber(value, path, out.value);
    } else {
      TakeObject(value, path, out);
    }
  }
  void Take(const json::value& value, const std::string& path, std::string& out) {
    if (!value.is_string()) return Wrong(path, "is not a text");
    out = std::string(value.get_string());
  }
  void Take(const json::value& value, const std::string& path, Time& out) {
    TakeNumber(value, path, out.micros);
  }
  template <class T>
  void Take(const json::value& value, const std::string& path, std::optional<T>& out) {
    Take(value, path, out.emplace());
  }
  template <class T>
  void Take(const json::value& value, const std::string& path, std::vector<T>& out) {
    if (!value.is_array()) return Wrong(path, "is not a list");
    out.clear();
    for (const json::value& item : value.get_array()) {
      const std::string row = fmt::format("{}[{}]", path, out.size());
      Take(item, row, out.emplace_back());
    }
  }

 private:
  template <class T>
  void TakeObject(const json::value& value, const std::string& path, T& out) {
    if (!value.is_object()) return Wrong(path.empty() ? "document" : path, "is not an object");
    Reader inside(status_);
    inside.object_ = &value.get_object();
    inside.path_ = path;
    Fields(inside, out);
    for (const auto& field : *inside.object_) {
      if (inside.known_.contains(field.key())) continue;
      return Wrong(
          fmt::format("{}{}{}", path, path.empty() ? "" : ".", std::string_view(field.key())),
          "is unknown");
    }
  }
  template <class T>
  void TakeNumber(const json::value& value, const std::string& path, T& out) {
    if (value.is_int64() && std::in_range<T>(value.get_int64())) {
      out = static_cast<T>(value.get_int64());
    } else if (value.is_uint64() && std::in_range<T>(value.get_uint64())) {
      out = static_cast<T>(value.get_uint64());
    } else {
      Wrong(path, "is not a whole number in range");
    }
  }
  template <class T>
  void TakeEnum(const json::value& value, const std::string& path, T& out) {
    const auto& names = EnumNames<T>::kNames;
    const std::string_view text =
        value.is_string() ? std::string_view(value.get_string()) : std::string_view();
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) {
      return Wrong(path, fmt::format("is none of {}", fmt::join(names, ", ")));
    }
    out = static_cast<T>(found - names.begin());
  }
  void Wrong(const std::string& path, std::string_view problem) {
    if (!status_) return;
    Error error{Code::kInvalid, fmt::format("{}: {}", path, problem)};
    error.fields.push_back({path, std::string(problem)});
    status_ = Fail(std::move(error));
  }

  Status& status_;
  const json::object* object_ = nullptr;
  std::string path_;
  std::set<std::string_view> known_;
};

}  // namespace

std::string WriteCapture(Capture capture) {
  Writer writer;
  writer.Put(capture);
  return writer.Take() + "\n";
}

Result<Capture> ReadCapture(std::string_view text) {
  YARD_ASSIGN(const json::value document, ParseJson(text));
  Capture capture;
  Status status;
  Reader(status).Take(document, "", capture);
  YARD_TRY(status);
  return capture;
}

}  // namespace yard::sim
