// Which characters the texts of a task may hold, asked before a task is launched or passed on.
//
// Names and paths end in files of the engine, in the shim's spec and in commands of daemons, where
// control characters part the fields. A NUL byte would cut off the rest of any text.
// Pure; thread-safe.
#pragma once

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/result.h"
#include "engine/task.h"

namespace yard::engine {
namespace texts {

inline Status Line(std::string_view what, std::string_view text) {
  auto is_control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
  if (std::ranges::none_of(text, is_control)) return {};
  return Fail(Code::kInvalid, fmt::format("{} holds a control character", what),
              "submit the work again without it");
}

inline Status Whole(std::string_view what, std::string_view text) {
  if (!text.contains('\0')) return {};
  return Fail(Code::kInvalid, fmt::format("{} holds a NUL character", what),
              "submit the work again without it");
}

inline Status CheckVariable(const Variable& variable) {
  YARD_TRY(Line("the name of a variable", variable.name));
  return Whole("the value of a variable", variable.value);
}

// What a file holds is the owner's own.
inline Status CheckMount(const Mount& mount) {
  YARD_TRY(Line("the path that a mount appears at", mount.target));
  return mount.kind == MountKind::kFile ? Status() : Line("the source of a mount", mount.source);
}

}  // namespace texts

// kInvalid, with the text that is wrong.
inline Status CheckTexts(const TaskSpec& spec) {
  YARD_TRY(texts::Line("the working folder", spec.working_dir));
  if (spec.container) YARD_TRY(texts::Line("the image", spec.container->image));
  for (const std::string& word : spec.command) YARD_TRY(texts::Whole("the command", word));
  for (const std::string& word : spec.args) YARD_TRY(texts::Whole("an argument", word));
  for (const Variable& variable : spec.variables) YARD_TRY(texts::CheckVariable(variable));
  for (const Mount& mount : spec.mounts) YARD_TRY(texts::CheckMount(mount));
  return {};
}

}  // namespace yard::engine
