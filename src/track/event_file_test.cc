#include "track/event_file.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "track/decode.h"
#include "track/proto.h"
#include "track/record.h"

namespace yard::track {
namespace {

using testing::HasSubstr;

std::string FromHex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

Event ScalarEvent(std::int64_t step, const std::string& tag, double value) {
  return {.time = Time{1'760'000'000'250'000},
          .step = step,
          .values = {{.tag = tag, .data = Scalar{value}}}};
}

std::string FileOf(const std::vector<Event>& events) {
  std::string file;
  AppendFileVersion(file, Time{1'000'000});
  for (const Event& event : events) AppendEvent(file, event);
  return file;
}

TEST(EventFile, TheFirstRecordIsTheOneOfTensorBoard) {
  std::string file;
  AppendFileVersion(file, Time{1'000'000});
  EXPECT_EQ(file, FromHex("1800000000000000a37f4b2209000000000000f03f1a0d627261696e2e4576656e74"
                          "3a3286bf577a"));
}

TEST(EventFile, ChecksumsAreMasked) {
  EXPECT_EQ(MaskedCrc("123456789"), 0xC78AB0E5u);
  EXPECT_EQ(MaskedCrc(""), 0xA282EAD8u);
}

TEST(EventFile, EveryKindComesBack) {
  Event event{.time = Time{1'760'000'000'123'456}, .step = -5};
  event.values = {
      {.tag = "loss", .data = Scalar{0.25}},
      {.tag = "rounded", .data = Scalar{static_cast<float>(0.1)}},
      {.tag = "inf", .data = Scalar{-std::numeric_limits<double>::infinity()}},
      {.tag = "weights", .data = Histogram{{{-1, 0, 3}, {0, 1, 4}}}},
      {.tag = "rollout", .data = Images{.width = 2, .height = 3, .encoded = {"png", "png2"}}},
      {.tag = "note", .data = Text{{"*hello*", "all"}}},
      {.tag = "_hparams_/session_start_info",
       .data = HparamsStart{{{"lr", 3e-4}, {"optimizer", std::string("adam")}, {"amp", true}}}},
      {.tag = "_hparams_/session_end_info", .data = HparamsEnd{HparamsStatus::kSuccess}}};
  Event restart{.time = Time{1'760'000'001'000'000}, .step = 7, .restarts = true};
  EventFileReader reader;
  EventRead read = reader.Read(FileOf({event, restart}));
  EXPECT_FALSE(reader.damage());
  ASSERT_EQ(read.events.size(), 2u);
  EXPECT_TRUE(read.events[0] == event);
  EXPECT_TRUE(read.events[1] == restart);
}

TEST(EventFile, ScalarsAreWrittenAsFloats) {
  EventFileReader reader;
  EventRead read = reader.Read(FileOf({ScalarEvent(1, "a", 0.1), ScalarEvent(2, "a", -1e300)}));
  ASSERT_EQ(read.events.size(), 2u);
  EXPECT_EQ(std::get<Scalar>(read.events[0].values[0].data).value, static_cast<float>(0.1));
  EXPECT_EQ(std::get<Scalar>(read.events[1].values[0].data).value, -HUGE_VAL);
}

TEST(EventFile, AGrowingFileIsReadToItsLastWholeRecord) {
  std::string file = FileOf({ScalarEvent(1, "a", 1), ScalarEvent(2, "a", 2)});
  EventFileReader reader;
  std::vector<std::int64_t> steps;
  for (std::size_t size = 0; size <= file.size(); ++size) {
    std::string_view from_offset = std::string_view(file).substr(0, size).substr(reader.offset());
    for (const Event& event : reader.Read(from_offset).events) steps.push_back(event.step);
  }
  EXPECT_EQ(steps, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(reader.offset(), file.size());
  EXPECT_FALSE(reader.damage());
}

TEST(EventFile, APartialRecordSaysHowMuchItNeeds) {
  std::string file = FileOf({ScalarEvent(1, "a", 1)});
  EventFileReader reader;
  EventRead read = reader.Read(std::string_view(file).substr(0, file.size() - 1));
  EXPECT_EQ(read.needed, file.size() - read.used);
}

TEST(EventFile, AWrongChecksumEndsTheFile) {
  std::string file = FileOf({ScalarEvent(1, "a", 1), ScalarEvent(2, "a", 2)});
  std::string longer = FileOf({ScalarEvent(1, "a", 1)});
  file[longer.size() + 20] = static_cast<char>(file[longer.size() + 20] ^ 1);
  EventFileReader reader;
  EXPECT_EQ(reader.Read(file).events.size(), 1u);
  ASSERT_TRUE(reader.damage());
  EXPECT_THAT(*reader.damage(), HasSubstr(std::to_string(longer.size())));
  AppendEvent(file, ScalarEvent(3, "a", 3));
  EXPECT_TRUE(reader.Read(file.substr(reader.offset())).events.empty());
}

TEST(EventFile, ALengthThatNobodyWritesIsDamage) {
  std::string record;
  AppendFixed64(record, UINT64_MAX - 3);
  AppendFixed32(record, MaskedCrc(record));
  EXPECT_EQ(ReadRecord(record).state, RecordState::kDamaged);
}

TEST(EventFile, ThePluginOfATagIsToldOnce) {
  auto value = [](std::string_view metadata) {
    std::string tensor;
    AppendVarintField(tensor, 1, 1);
    AppendFloatField(tensor, 5, 0.5F);
    std::string message;
    AppendBytesField(message, 1, "loss");
    AppendBytesField(message, 8, tensor);
    if (!metadata.empty()) AppendBytesField(message, 9, metadata);
    std::string summary;
    AppendBytesField(summary, 1, message);
    std::string event;
    AppendBytesField(event, 5, summary);
    return event;
  };
  std::string plugin;
  AppendBytesField(plugin, 1, "custom");
  std::string metadata;
  AppendBytesField(metadata, 1, plugin);
  PluginOfTag plugins;
  EXPECT_TRUE(DecodeEvent(value(""), plugins)->values[0].data == EventData(Scalar{0.5}));
  EXPECT_TRUE(DecodeEvent(value(metadata), plugins)->values[0].data == EventData(Other{"custom"}));
  EXPECT_TRUE(DecodeEvent(value(""), plugins)->values[0].data == EventData(Other{"custom"}));
}

TEST(EventFile, AClockThatIsNoNumberIsNoDanger) {
  std::string event;
  AppendDoubleField(event, 1, std::nan(""));
  PluginOfTag plugins;
  EXPECT_EQ(DecodeEvent(event, plugins)->time, Time{});
}

TEST(EventFile, AnyBytesAreReadWithoutHarm) {
  SeededRandom random(7);
  std::string file = FileOf({ScalarEvent(1, "a", 1), ScalarEvent(2, "a", 0.1)});
  for (int round = 0; round < 5000; ++round) {
    std::string payload = file.substr(random.Below(file.size()));
    for (int i = 0; i < 3 && !payload.empty(); ++i) {
      payload[random.Below(payload.size())] = static_cast<char>(random.Below(256));
    }
    PluginOfTag plugins;
    (void)DecodeEvent(payload, plugins);
    EventFileReader reader;
    (void)reader.Read(payload);
    EXPECT_LE(reader.offset(), payload.size());
  }
}

}  // namespace
}  // namespace yard::track
