// Reading a daemon's answers: a field that is absent or of another type is empty, because the
// daemons and their versions differ in what they send. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

namespace yard::engine::containers {

namespace json = boost::json;

// `path` is dotted: "State.Pid".
const json::value* Find(const json::value& value, std::string_view path);
std::string Text(const json::value& value, std::string_view path);
std::int64_t Number(const json::value& value, std::string_view path);
enum class Flag { kNo, kYes };
Flag FlagOf(const json::value& value, std::string_view path);
std::vector<std::string> Texts(const json::value& value, std::string_view path);

}  // namespace yard::engine::containers
