#include "control/launch/expand.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace yard::control {
namespace {

// The engine gives a plain process another port than the workload names.
constexpr std::string_view kPort = "GPUYARD_PORT";

bool IsShell(std::string_view word) {
  constexpr std::array<std::string_view, 7> kShells = {"sh",  "bash", "dash", "ash",
                                                       "zsh", "ksh",  "fish"};
  return std::ranges::find(kShells, word.substr(word.rfind('/') + 1)) != kShells.end();
}

class Expander {
 public:
  explicit Expander(const engine::TaskSpec& task) : task_(task) {}

  std::string Expand(std::string_view word, std::string_view opening) const {
    std::string out;
    for (std::size_t at = 0; at < word.size();) {
      std::string_view rest = word.substr(at);
      if (rest.starts_with("$$(")) {
        out += "$(";
        at += 3;
        continue;
      }
      std::size_t length = 0;
      const std::string* value = rest[0] == '$' ? ValueAt(rest, opening, length) : nullptr;
      out += value != nullptr ? std::string_view(*value) : rest.substr(0, 1);
      at += value != nullptr ? length : 1;
    }
    return out;
  }

 private:
  // The value of "$(NAME)" or "${NAME}" at the start of `text`, and how long that is.
  const std::string* ValueAt(std::string_view text, std::string_view opening,
                             std::size_t& length) const {
    if (text.size() < 2 || !opening.contains(text[1])) return nullptr;
    std::size_t end = text.find(text[1] == '(' ? ')' : '}');
    if (end == text.npos) return nullptr;
    length = end + 1;
    auto at = std::ranges::find(task_.variables, text.substr(2, end - 2), &engine::Variable::name);
    if (at == task_.variables.end() || at->secret) return nullptr;
    return at->name == kPort && !task_.container ? nullptr : &at->value;
  }

  const engine::TaskSpec& task_;
};

}  // namespace

void ExpandWords(std::vector<std::string>& words, const engine::TaskSpec& task) {
  const Expander expander(task);
  bool shell = false;
  for (std::string& word : words) {
    if (word.contains('$')) word = expander.Expand(word, shell ? "(" : "({");
    shell = shell || IsShell(word);
  }
}

}  // namespace yard::control
