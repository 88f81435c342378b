#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr std::size_t kPageSize = 500;

Outcome<json::array> ReadPage(client::Client& client, const Kind& kind, const std::string& path,
                              std::vector<std::pair<std::string, std::string>> query) {
  YARD_ASSIGN(json::value answer, client.Get(path, std::move(query)));
  json::value list = kind.list_key.empty() ? answer : At(answer, kind.list_key);
  if (list.is_null()) return json::array();
  if (json::array* array = list.if_array()) return std::move(*array);
  return std::unexpected(Failure(
      {Code::kInternal, fmt::format("the server's list of {} is not a list", kind.plural)}));
}

Outcome<void> ReadPages(client::Client& client, const Kind& kind, const ListRequest& request,
                        std::vector<json::value>& found) {
  while (true) {
    std::size_t wanted =
        request.limit == 0 ? kPageSize : std::min(kPageSize, request.limit - found.size());
    auto query = request.query;
    query.emplace_back("offset", std::to_string(found.size()));
    query.emplace_back("limit", std::to_string(wanted));
    YARD_ASSIGN(json::array page,
                ReadPage(client, kind, std::string(kind.list_path), std::move(query)));
    found.insert(found.end(), page.begin(), page.end());
    // A page beyond what was asked for means that the server gave all at once.
    if (page.size() != wanted || found.size() == request.limit) return {};
  }
}

Outcome<void> ReadClusters(client::Client& client, const Kind& kind, const ListRequest& request,
                           std::vector<json::value>& found) {
  YARD_ASSIGN(json::value clusters, client.Get("/api/v1/clusters"));
  const json::array* list = clusters.if_array();
  if (list == nullptr) return {};
  for (const json::value& cluster : *list) {
    std::string path(kind.list_path);
    path.replace(path.find("{cluster}"), 9, TextAt(cluster, "uuid"));
    YARD_ASSIGN(json::array part, ReadPage(client, kind, path, request.query));
    found.insert(found.end(), part.begin(), part.end());
  }
  return {};
}

Failure NotFound(const Kind& kind, std::string_view name, const std::vector<json::value>& all) {
  std::vector<std::string> names;
  for (const json::value& object : all) names.push_back(TextAt(object, kind.name));
  std::vector<std::string_view> views(names.begin(), names.end());
  std::optional<std::string_view> near = Nearest(name, views);
  return Failure({Code::kNotFound,
                  fmt::format("there is no {} '{}'{}", kind.singular, name,
                              near ? fmt::format("; did you mean '{}'?", *near) : ""),
                  fmt::format("see `gpuyard get {}`", kind.plural)});
}

std::vector<json::value> Named(const Kind& kind, std::string_view name,
                               const std::vector<json::value>& all) {
  std::vector<json::value> same;
  for (const json::value& object : all) {
    if (TextAt(object, kind.name) == name) same.push_back(object);
  }
  if (!same.empty()) return same;
  std::ranges::copy_if(all, std::back_inserter(same),
                       [&](const json::value& object) { return TextAt(object, kind.id) == name; });
  return same;
}

}  // namespace

Outcome<std::vector<json::value>> ListObjects(client::Client& client, const Kind& kind,
                                              const ListRequest& request) {
  std::vector<json::value> found;
  if (kind.lists == Lists::kPaged) {
    YARD_TRY(ReadPages(client, kind, request, found));
  } else if (kind.lists == Lists::kPerCluster) {
    YARD_TRY(ReadClusters(client, kind, request, found));
  } else {
    YARD_ASSIGN(json::array all,
                ReadPage(client, kind, std::string(kind.list_path), request.query));
    found.assign(all.begin(), all.end());
  }
  if (request.limit != 0 && found.size() > request.limit) found.resize(request.limit);
  return found;
}

Outcome<json::value> FindObject(client::Client& client, const Kind& kind, std::string_view name) {
  if (!kind.filter_name.empty() && !name.contains(',')) {
    ListRequest narrow{.query = {{"filterBy", fmt::format("{}=={}", kind.filter_name, name)}}};
    YARD_ASSIGN(std::vector<json::value> exact, ListObjects(client, kind, narrow));
    if (exact.size() == 1) return exact.front();
  }
  YARD_ASSIGN(std::vector<json::value> all, ListObjects(client, kind, {}));
  std::vector<json::value> same = Named(kind, name, all);
  if (same.size() == 1) return same.front();
  if (same.empty()) return std::unexpected(NotFound(kind, name, all));
  std::vector<std::string> ids;
  for (const json::value& object : same) ids.push_back(TextAt(object, kind.id));
  return std::unexpected(Failure(
      {Code::kConflict, fmt::format("{} {} are called '{}'", same.size(), kind.plural, name),
       fmt::format("name one by its id: {}", fmt::join(ids, ", "))}));
}

}  // namespace yard::cli
