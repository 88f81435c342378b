// For tests/tensorboard: prints an event file as JSON lines, or writes one.
//
//   event_dump read FILE    reads the file in small parts, as it would while it grows
//   event_dump write FILE   writes one of every kind, for the real TensorBoard to read
#include <algorithm>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "track/event_file.h"

namespace yard::track {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

struct Printer {
  std::string operator()(const Scalar& scalar) const {
    return fmt::format(R"("kind":"scalar","value":"{}")", scalar.value);
  }
  std::string operator()(const Histogram& histogram) const {
    double count = 0;
    for (const HistogramBucket& bucket : histogram.buckets) count += bucket.count;
    return fmt::format(R"("kind":"histogram","buckets":{},"count":{})", histogram.buckets.size(),
                       count);
  }
  std::string operator()(const Images& images) const {
    return fmt::format(R"("kind":"images","width":{},"height":{},"count":{},"png":{})",
                       images.width, images.height, images.encoded.size(),
                       !images.encoded.empty() && images.encoded[0].starts_with("\x89PNG"));
  }
  std::string operator()(const Text& text) const {
    return fmt::format(R"("kind":"text","text":{})",
                       Quoted(text.lines.empty() ? "" : text.lines[0]));
  }
  std::string operator()(const HparamsStart& start) const {
    std::string values;
    for (const auto& [name, value] : start.values) {
      std::string shown =
          std::visit([](const auto& kind) { return fmt::format("{}", kind); }, value);
      values += fmt::format("{}{}:{}", values.empty() ? "" : ",", Quoted(name), Quoted(shown));
    }
    return fmt::format(R"("kind":"hparams","values":{{{}}})", values);
  }
  std::string operator()(const HparamsEnd& end) const {
    return fmt::format(R"("kind":"hparams_end","status":{})", static_cast<int>(end.status));
  }
  std::string operator()(const Other& other) const {
    return fmt::format(R"("kind":"other","plugin":{})", Quoted(other.plugin));
  }
};

void Print(const Event& event) {
  if (event.restarts) fmt::print("{{\"step\":{},\"kind\":\"restart\"}}\n", event.step);
  for (const EventValue& value : event.values) {
    fmt::print("{{\"step\":{},\"time\":{},\"tag\":{},{}}}\n", event.step, event.time.micros,
               Quoted(value.tag), std::visit(Printer{}, value.data));
  }
}

int Read(const std::string& path) {
  auto file = ReadFile(path);
  if (!file) return 3;
  std::string_view bytes = *file;
  EventFileReader reader;
  for (std::size_t end = 0; end < bytes.size();) {
    end = std::min(bytes.size(), end + 100);
    for (const Event& event : reader.Read(bytes.substr(0, end).substr(reader.offset())).events) {
      Print(event);
    }
  }
  fmt::print("{{\"kind\":\"end\",\"left\":{},\"damaged\":{}}}\n", bytes.size() - reader.offset(),
             reader.damage().has_value());
  return 0;
}

int Write(const std::string& path) {
  std::string file;
  AppendFileVersion(file, Time{1'760'000'000'000'000});
  for (std::int64_t step = 0; step < 10; ++step) {
    Event event{.time = Time{1'760'000'000'000'000 + step * 1'000'000}, .step = step};
    double value = static_cast<double>(step);
    event.values = {{.tag = "loss", .data = Scalar{value / 2}},
                    {.tag = "exact", .data = Scalar{value / 10}},
                    {.tag = "weights", .data = Histogram{{{-1, 0, value}, {0, 1, 2 * value}}}},
                    {.tag = "note", .data = Text{{fmt::format("step *{}*", step)}}}};
    AppendEvent(file, event);
  }
  AppendEvent(file,
              {.time = Time{1'760'000'000'000'000},
               .values = {{.tag = "_hparams_/session_start_info",
                           .data = HparamsStart{{{"lr", 0.001}, {"opt", std::string("adam")}}}}}});
  std::ofstream out(path, std::ios::binary);
  out << file;
  return out.flush() ? 0 : 3;
}

}  // namespace
}  // namespace yard::track

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::string_view what = argv[1];
  if (what == "read") return yard::track::Read(argv[2]);
  return what == "write" ? yard::track::Write(argv[2]) : 2;
}
