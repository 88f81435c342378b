#include "sim/report_html.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace yard::sim {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Simulation</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { --paper: #fff; --ink: #1b1f24; --faint: #d0d7de;
  --c0: #0b62c4; --c1: #b3541e; --c2: #1a7f4b; --c3: #8250c8; }
@media (prefers-color-scheme: dark) { :root { --paper: #12161b; --ink: #e6edf3; --faint: #39424d;
  --c0: #6cb0ff; --c1: #f0a070; --c2: #5fd39a; --c3: #c8a5ff; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; }
th, td { border-bottom: 1px solid var(--faint); padding: .25rem .6rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; } svg text { fill: var(--ink); font-size: 12px; }
svg .axis { stroke: var(--faint); fill: none; }
svg polyline { fill: none; stroke-width: 1.6; }
</style></head><body><h1>Simulation</h1>
)";

constexpr double kWidth = 900;
constexpr double kHeight = 220;
constexpr double kLeft = 60;
constexpr double kBottom = 30;
constexpr double kTop = 12;

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

struct Plot {
  std::string_view title;
  double (*of)(const Sample&);
};

constexpr std::array<Plot, 3> kPlots = {{
    {"GPUs allocated",
     [](const Sample& sample) { return static_cast<double>(sample.allocated_milli) / 1000; }},
    {"Jobs waiting", [](const Sample& sample) { return static_cast<double>(sample.waiting_jobs); }},
    {"Free GPU that the jobs cannot use, %",
     [](const Sample& sample) { return sample.fragmented_pct; }},
}};

double Hours(const Sample& sample) {
  return static_cast<double>(sample.at.micros) / 3.6e9;
}

// What the axes must hold.
struct Frame {
  double first = 0;
  double last = 0;
  double most = 0;

  double X(double hours) const {
    const double span = last > first ? last - first : 1;
    return kLeft + (kWidth - kLeft - 10) * (hours - first) / span;
  }
  double Y(double value) const {
    return kHeight - kBottom - (kHeight - kBottom - kTop) * value / (most > 0 ? most : 1);
  }
};

Frame FrameOf(std::span<const Summary> runs, const Plot& plot) {
  Frame frame;
  bool any = false;
  for (const Summary& run : runs) {
    for (const Sample& sample : run.samples) {
      frame.first = any ? std::min(frame.first, Hours(sample)) : Hours(sample);
      frame.last = std::max(frame.last, Hours(sample));
      frame.most = std::max(frame.most, plot.of(sample));
      any = true;
    }
  }
  return frame;
}

std::string Line(const Summary& run, const Plot& plot, const Frame& frame, std::size_t colour) {
  std::string points;
  for (const Sample& sample : run.samples) {
    points += fmt::format("{:.1f},{:.1f} ", frame.X(Hours(sample)), frame.Y(plot.of(sample)));
  }
  return fmt::format(
      "<polyline style=\"stroke:var(--c{})\" points=\"{}\"><title>{}</title>"
      "</polyline>",
      colour, points, Escaped(run.policy));
}

std::string Drawing(std::span<const Summary> runs, const Plot& plot) {
  const Frame frame = FrameOf(runs, plot);
  std::string out = fmt::format(
      "<h2>{0}</h2>\n<svg viewBox=\"0 0 {1} {2}\" role=\"img\" "
      "aria-label=\"{0}\">",
      plot.title, kWidth, kHeight);
  out += fmt::format("<path class=\"axis\" d=\"M{0},{1}V{2}H{3}\"/>", kLeft, kTop,
                     kHeight - kBottom, kWidth - 10);
  out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{:.4g}</text>", kLeft - 6,
                     kTop + 4, frame.most);
  out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">0</text>", kLeft - 6,
                     kHeight - kBottom);
  out += fmt::format("<text x=\"{}\" y=\"{}\">{:.4g} h</text>", kLeft, kHeight - 10, frame.first);
  out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{:.4g} h</text>", kWidth - 10,
                     kHeight - 10, frame.last);
  for (std::size_t i = 0; i < runs.size(); ++i) out += Line(runs[i], plot, frame, i % 4);
  return out + "</svg>\n";
}

std::string Legend(std::span<const Summary> runs) {
  std::string out = "<p>";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    out += fmt::format("<b style=\"color:var(--c{})\">&#9632; {}</b> ", i % 4,
                       Escaped(runs[i].policy));
  }
  return out + "</p>\n";
}

std::string Figures(std::span<const Summary> runs) {
  std::string out =
      "<table><tr><th>Policy</th><th>Ended</th><th>Utilisation, %</th><th>Allocation, %</th>"
      "<th>Fragmentation, %</th><th>Wait mean, s</th><th>Wait p95, s</th><th>Completion mean, "
      "s</th><th>Fairness</th><th>Preemptions</th><th>Moves</th></tr>\n";
  for (const Summary& run : runs) {
    out += fmt::format(
        "<tr><td>{}</td><td>{} of {}</td><td>{:.1f}</td><td>{:.1f}</td><td>{:.1f}</td>"
        "<td>{:.0f}</td><td>{:.0f}</td><td>{:.0f}</td><td>{:.3f}</td><td>{}</td><td>{}</td></tr>\n",
        Escaped(run.policy), run.ended, run.jobs, run.utilisation_pct, run.allocation_pct,
        run.fragmentation_pct, run.wait_s.mean, run.wait_s.p95, run.completion_s.mean,
        run.fairness_users, run.preemptions, run.moves);
  }
  return out + "</table>\n";
}

std::string Users(const Summary& run) {
  std::string out = fmt::format(
      "<h2>Users under {}</h2>\n<table><tr><th>User</th><th>Jobs</th><th>Ended</th>"
      "<th>GPU hours</th><th>Wait mean, s</th><th>Wait p95, s</th><th>Preemptions</th>"
      "<th>Speed</th></tr>\n",
      Escaped(run.policy));
  for (const Account& user : run.users) {
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.2f}</td><td>{:.0f}</td><td>{:.0f}</td>"
        "<td>{}</td><td>{:.3f}</td></tr>\n",
        Escaped(user.name), user.jobs, user.ended, user.gpu_hours, user.wait_s.mean,
        user.wait_s.p95, user.preemptions, user.speed);
  }
  return out + "</table>\n";
}

}  // namespace

std::string FormatHtml(std::span<const Summary> runs) {
  std::string out(kHead);
  out += Figures(runs) + Legend(runs);
  for (const Plot& plot : kPlots) out += Drawing(runs, plot);
  for (const Summary& run : runs) out += Users(run);
  return out + "</body></html>\n";
}

}  // namespace yard::sim
