// What can be listed and deleted, as data: where the API keeps it and how people see it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "client/client.h"

namespace yard::cli {

struct KindColumn {
  std::string_view header;
  std::string_view path;  // dotted, into the object
  bool wide = false;      // only with -o wide and csv
};

// How a list may be narrowed by the server.
enum class Lists { kWhole, kPaged, kPerCluster };

struct Kind {
  std::string_view plural;
  std::string_view singular;
  std::string_view aliases;    // separated by spaces
  std::string_view list_path;  // "{cluster}" is filled in for kPerCluster
  std::string_view list_key;   // member that holds the list; empty: the answer is the list
  Lists lists = Lists::kWhole;
  std::string_view id;  // dotted path into the object
  std::string_view name;
  std::string_view filter_name;  // the field that filterBy calls the name; empty: none
  std::string_view delete_path;  // "{id}", "{kind}" and "{type}" are filled in; empty: cannot be
  std::span<const KindColumn> columns;
};

std::span<const Kind> Kinds();
// By plural, singular or alias, in any case; the error suggests the nearest.
Result<const Kind*> FindKind(std::string_view word);

struct ListRequest {
  std::vector<std::pair<std::string, std::string>> query = {};
  std::size_t limit = 0;  // 0: all
};
// Every object, over all pages and clusters.
client::Outcome<std::vector<json::value>> ListObjects(client::Client& client, const Kind& kind,
                                                      const ListRequest& request);
// The one of that name or id. kNotFound names near misses; several of one name are a kConflict.
client::Outcome<json::value> FindObject(client::Client& client, const Kind& kind,
                                        std::string_view name);
// The path that deletes the object, with its query.
std::string DeletePath(const Kind& kind, const json::value& object);

// The API's path segment for an asset's or workload's kind: "hostPath" is "host-path".
std::string SegmentOf(std::string_view kind);

}  // namespace yard::cli
