#include "cli/track/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace yard::cli {
namespace {

constexpr std::size_t kScale = 11;  // characters of the scale on the left
constexpr std::size_t kDotsAcross = 2;
constexpr std::size_t kDotsDown = 4;
constexpr std::array<int, 5> kColours{36, 32, 33, 35, 34};

struct Bounds {
  double left = 0;
  double right = 0;
  double low = 0;
  double high = 0;
  bool empty = true;

  void Add(double x, double y) {
    left = empty ? x : std::min(left, x);
    right = empty ? x : std::max(right, x);
    low = empty ? y : std::min(low, y);
    high = empty ? y : std::max(high, y);
    empty = false;
  }
  // A flat line lies in the middle.
  void Widen() {
    if (right <= left) right = left + 1;
    if (high > low) return;
    double margin = low == 0 ? 1 : std::abs(low) / 10;
    low -= margin;
    high += margin;
  }
};

bool IsDrawn(const std::pair<double, double>& point) {
  return std::isfinite(point.first) && std::isfinite(point.second);
}

// Dots of characters, and whose line last touched each.
class Canvas {
 public:
  Canvas(std::size_t columns, std::size_t rows, const Bounds& bounds)
      : columns_(columns),
        rows_(rows),
        bounds_(bounds),
        dots_(columns * rows),
        line_(dots_.size()) {}

  void Draw(const std::vector<std::pair<double, double>>& points, std::size_t line) {
    bool joined = false;
    std::pair<double, double> before;
    for (const auto& point : points) {
      if (!IsDrawn(point)) continue;
      std::pair<double, double> place = PlaceOf(point);
      Join(joined ? before : place, place, line);
      before = place;
      joined = true;
    }
  }

  std::string Row(std::size_t row, Colour colour) const {
    std::string text;
    for (std::size_t column = 0; column < columns_; ++column) {
      std::size_t at = row * columns_ + column;
      text += Coloured(CharacterOf(dots_[at]), line_[at], dots_[at] == 0 ? Colour::kNo : colour);
    }
    return text;
  }

  static std::string Coloured(std::string text, std::size_t line, Colour colour) {
    if (colour == Colour::kNo) return text;
    return fmt::format("\x1b[{}m{}\x1b[0m", kColours[line % kColours.size()], text);
  }

 private:
  std::pair<double, double> PlaceOf(const std::pair<double, double>& point) const {
    double across = static_cast<double>(columns_ * kDotsAcross - 1);
    double down = static_cast<double>(rows_ * kDotsDown - 1);
    return {(point.first - bounds_.left) / (bounds_.right - bounds_.left) * across,
            (bounds_.high - point.second) / (bounds_.high - bounds_.low) * down};
  }

  void Join(const std::pair<double, double>& from, const std::pair<double, double>& to,
            std::size_t line) {
    double length = std::max(std::abs(to.first - from.first), std::abs(to.second - from.second));
    auto steps = static_cast<std::size_t>(std::ceil(length)) + 1;
    for (std::size_t i = 0; i <= steps; ++i) {
      double part = static_cast<double>(i) / static_cast<double>(steps);
      Set(std::lround(from.first + (to.first - from.first) * part),
          std::lround(from.second + (to.second - from.second) * part), line);
    }
  }

  void Set(std::int64_t x, std::int64_t y, std::size_t line) {
    // In the order of the characters' numbers: three rows of each column, then the fourth row.
    constexpr std::array<std::array<std::uint8_t, 2>, 4> kBits{
        {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
    auto column = static_cast<std::size_t>(x);
    auto row = static_cast<std::size_t>(y);
    std::size_t at = row / kDotsDown * columns_ + column / kDotsAcross;
    dots_[at] |= kBits[row % kDotsDown][column % kDotsAcross];
    line_[at] = line;
  }

  // U+2800 and the dots.
  static std::string CharacterOf(std::uint8_t dots) {
    if (dots == 0) return " ";
    return {static_cast<char>(0xE2), static_cast<char>(0xA0 | dots >> 6),
            static_cast<char>(0x80 | (dots & 0x3F))};
  }

  const std::size_t columns_;
  const std::size_t rows_;
  const Bounds bounds_;
  std::vector<std::uint8_t> dots_;
  std::vector<std::size_t> line_;
};

std::string ScaleAt(const Bounds& bounds, std::size_t row, std::size_t rows) {
  bool named = row == 0 || row + 1 == rows || row == rows / 2;
  double part = static_cast<double>(row) / static_cast<double>(std::max<std::size_t>(rows - 1, 1));
  double value = bounds.high - (bounds.high - bounds.low) * part;
  return named ? fmt::format("{:>9.4g} ┤", value) : fmt::format("{:>9} │", "");
}

}  // namespace

std::string RenderPlot(const std::vector<PlotLine>& lines, const PlotSize& size, Colour colour) {
  Bounds bounds;
  for (const PlotLine& line : lines) {
    for (const auto& point : line.points) {
      if (IsDrawn(point)) bounds.Add(point.first, point.second);
    }
  }
  if (bounds.empty) return "";
  bounds.Widen();
  std::size_t columns = std::max(size.columns, kScale + 10) - kScale;
  Canvas canvas(columns, size.rows, bounds);
  for (std::size_t i = 0; i < lines.size(); ++i) canvas.Draw(lines[i].points, i);
  std::string text;
  for (std::size_t row = 0; row < size.rows; ++row) {
    text += ScaleAt(bounds, row, size.rows) + canvas.Row(row, colour) + "\n";
  }
  std::string right = fmt::format("{:.6g}", bounds.right);
  text += fmt::format("{:>9}  {:<{}}{}\n", "", fmt::format("{:.6g}", bounds.left),
                      columns - std::min(columns, right.size()), right);
  for (std::size_t i = 0; i < lines.size() && lines.size() > 1; ++i) {
    text += fmt::format("{:>9}  {}\n", "", Canvas::Coloured("● " + lines[i].label, i, colour));
  }
  return text;
}

}  // namespace yard::cli
