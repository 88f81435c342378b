#include "cli/print.h"

#include <ostream>

#include <boost/json/value.hpp>

namespace yard::cli {

client::Outcome<void> PrintTable(Session& session, const std::vector<json::value>& objects,
                                 const Table& table) {
  Console& console = session.console();
  switch (session.format()) {
    case Format::kJson:
    case Format::kYaml:
      PrintTree(console, session.format(), json::array(objects.begin(), objects.end()));
      break;
    case Format::kName:
      for (const auto& row : table.rows) console.out << row.front() << '\n';
      break;
    case Format::kCsv:
      console.out << RenderCsv(table);
      break;
    case Format::kTable:
    case Format::kWide:
      if (table.rows.empty()) {
        console.err << "nothing to show\n";
        break;
      }
      console.out << RenderTable(table, session.format() == Format::kWide ? 0 : console.width,
                                 console.colour ? Colour::kYes : Colour::kNo);
  }
  return {};
}

}  // namespace yard::cli
