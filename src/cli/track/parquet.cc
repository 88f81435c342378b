#include "cli/track/parquet.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

namespace yard::cli {
namespace {

constexpr std::string_view kMagic = "PAR1";

// Numbers of the format's own definition.
enum PhysicalType : std::int32_t { kInt64 = 2, kDouble = 5, kByteArray = 6 };
enum ConvertedType : std::int32_t { kUtf8 = 0, kTimestampMicros = 10 };
constexpr std::int32_t kOptional = 1;
constexpr std::int32_t kPlain = 0;
constexpr std::int32_t kRle = 3;
constexpr std::int32_t kUncompressed = 0;
constexpr std::int32_t kDataPage = 0;
constexpr std::int32_t kFormatVersion = 1;

void AppendLittle(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

void AppendVarint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

// Thrift's compact protocol, as far as the head and the pages of a file need it.
class Thrift {
 public:
  explicit Thrift(std::string& out) : out_(out) {}

  void Int32(int field, std::int32_t value) {
    Head(field, 5);
    Zigzag(value);
  }
  void Int64(int field, std::int64_t value) {
    Head(field, 6);
    Zigzag(value);
  }
  void Text(int field, std::string_view text) {
    Head(field, 8);
    Bytes(text);
  }
  void ListOf(int field, int type, std::size_t size) {
    Head(field, 9);
    if (size < 15) {
      out_ += static_cast<char>(size << 4 | static_cast<unsigned>(type));
    } else {
      out_ += static_cast<char>(0xF0 | type);
      AppendVarint(out_, size);
    }
  }
  static constexpr int kInts = 5;
  static constexpr int kTexts = 8;
  static constexpr int kStructs = 12;
  void Item(std::int32_t value) { Zigzag(value); }
  void Item(std::string_view text) { Bytes(text); }
  // Of a list no field begins it.
  void BeginItem() { before_.push_back(0); }
  void Begin(int field) {
    Head(field, 12);
    BeginItem();
  }
  void End() {
    out_ += '\0';
    before_.pop_back();
  }

 private:
  void Head(int field, int type) {
    int& before = before_.back();
    out_ += static_cast<char>((field - before) << 4 | type);
    before = field;
  }
  void Zigzag(std::int64_t value) {
    AppendVarint(out_,
                 static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  void Bytes(std::string_view text) {
    AppendVarint(out_, text.size());
    out_ += text;
  }

  std::string& out_;
  std::vector<int> before_{0};  // the last field of each open struct
};

void AppendValue(std::string& out, const std::string& value) {
  AppendLittle(out, value.size(), 4);
  out += value;
}
void AppendValue(std::string& out, double value) {
  AppendLittle(out, std::bit_cast<std::uint64_t>(value), 8);
}
void AppendValue(std::string& out, std::int64_t value) {
  AppendLittle(out, static_cast<std::uint64_t>(value), 8);
}
void AppendValue(std::string& out, Time value) {
  AppendValue(out, value.micros);
}

struct Shape {
  PhysicalType type;
  std::optional<ConvertedType> converted = std::nullopt;
};
Shape ShapeOf(const ParquetColumn& column) {
  constexpr Shape kShapes[] = {
      {kByteArray, kUtf8}, {kDouble}, {kInt64}, {kInt64, kTimestampMicros}};
  return kShapes[column.values.index()];
}

std::size_t SizeOf(const ParquetColumn& column) {
  return std::visit([](const auto& values) { return values.size(); }, column.values);
}

struct Rows {
  std::size_t begin;
  std::size_t end;
  std::size_t size() const { return end - begin; }
};

// Which rows have a value, one bit each, then the values there are.
std::string PageOf(const ParquetColumn& column, const Rows& rows) {
  std::string levels;
  AppendVarint(levels, (rows.size() + 7) / 8 << 1 | 1);
  std::string values;
  std::visit(
      [&](const auto& all) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
          if ((i - rows.begin) % 8 == 0) levels += '\0';
          if (!all[i]) continue;
          levels.back() = static_cast<char>(levels.back() | 1 << (i - rows.begin) % 8);
          AppendValue(values, *all[i]);
        }
      },
      column.values);
  std::string page;
  AppendLittle(page, levels.size(), 4);
  return page + levels + values;
}

std::string PageHead(std::size_t bytes, std::size_t rows) {
  std::string out;
  Thrift head(out);
  head.Int32(1, kDataPage);
  head.Int32(2, static_cast<std::int32_t>(bytes));
  head.Int32(3, static_cast<std::int32_t>(bytes));
  head.Begin(5);
  head.Int32(1, static_cast<std::int32_t>(rows));
  head.Int32(2, kPlain);
  head.Int32(3, kRle);
  head.Int32(4, kRle);
  head.End();
  head.End();
  return out;
}

struct Chunk {
  std::size_t offset;
  std::size_t bytes;
};
struct Group {
  std::size_t rows;
  std::vector<Chunk> chunks;
};

void WriteSchema(Thrift& foot, const std::vector<ParquetColumn>& columns) {
  foot.ListOf(2, Thrift::kStructs, columns.size() + 1);
  foot.BeginItem();
  foot.Text(4, "table");
  foot.Int32(5, static_cast<std::int32_t>(columns.size()));
  foot.End();
  for (const ParquetColumn& column : columns) {
    Shape shape = ShapeOf(column);
    foot.BeginItem();
    foot.Int32(1, shape.type);
    foot.Int32(3, kOptional);
    foot.Text(4, column.name);
    if (shape.converted) foot.Int32(6, *shape.converted);
    foot.End();
  }
}

void WriteChunk(Thrift& foot, const ParquetColumn& column, const Chunk& chunk, std::size_t rows) {
  foot.BeginItem();
  foot.Int64(2, static_cast<std::int64_t>(chunk.offset));
  foot.Begin(3);
  foot.Int32(1, ShapeOf(column).type);
  foot.ListOf(2, Thrift::kInts, 2);
  foot.Item(kPlain);
  foot.Item(kRle);
  foot.ListOf(3, Thrift::kTexts, 1);
  foot.Item(std::string_view(column.name));
  foot.Int32(4, kUncompressed);
  foot.Int64(5, static_cast<std::int64_t>(rows));
  foot.Int64(6, static_cast<std::int64_t>(chunk.bytes));
  foot.Int64(7, static_cast<std::int64_t>(chunk.bytes));
  foot.Int64(9, static_cast<std::int64_t>(chunk.offset));
  foot.End();
  foot.End();
}

void WriteGroup(Thrift& foot, const std::vector<ParquetColumn>& columns, const Group& group) {
  std::size_t bytes = 0;
  for (const Chunk& chunk : group.chunks) bytes += chunk.bytes;
  foot.BeginItem();
  foot.ListOf(1, Thrift::kStructs, columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    WriteChunk(foot, columns[i], group.chunks[i], group.rows);
  }
  foot.Int64(2, static_cast<std::int64_t>(bytes));
  foot.Int64(3, static_cast<std::int64_t>(group.rows));
  foot.End();
}

std::string FootOf(const std::vector<ParquetColumn>& columns, const std::vector<Group>& groups,
                   std::size_t rows) {
  std::string out;
  Thrift foot(out);
  foot.Int32(1, kFormatVersion);
  WriteSchema(foot, columns);
  foot.Int64(3, static_cast<std::int64_t>(rows));
  foot.ListOf(4, Thrift::kStructs, groups.size());
  for (const Group& group : groups) WriteGroup(foot, columns, group);
  foot.Text(6, "gpuyard");
  foot.End();
  return out;
}

}  // namespace

std::string RenderParquet(const std::vector<ParquetColumn>& columns, std::size_t group_rows) {
  std::size_t rows = columns.empty() ? 0 : SizeOf(columns.front());
  std::string out(kMagic);
  std::vector<Group> groups;
  for (std::size_t begin = 0; begin < rows; begin += group_rows) {
    Rows part{begin, std::min(rows, begin + group_rows)};
    Group group{.rows = part.size(), .chunks = {}};
    for (const ParquetColumn& column : columns) {
      std::string page = PageOf(column, part);
      std::string head = PageHead(page.size(), part.size());
      group.chunks.push_back({out.size(), head.size() + page.size()});
      out += head;
      out += page;
    }
    groups.push_back(std::move(group));
  }
  std::string foot = FootOf(columns, groups, rows);
  out += foot;
  AppendLittle(out, foot.size(), 4);
  return out += kMagic;
}

}  // namespace yard::cli
