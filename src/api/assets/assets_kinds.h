// The kinds of asset as the API serves them: one table drives every route.
#pragma once

#include <span>
#include <string_view>

#include "api/handler.h"
#include "control/commands/assets.h"
#include "model/asset.h"

namespace yard::api {

struct AssetRow {
  AssetKind kind;
  std::string_view path;    // of the list; one asset is below it
  std::string_view draft;   // schema of a create request
  std::string_view update;  // schema of an update request
  control::SpecEdit edit = control::SpecEdit::kReplace;
  std::string_view list_key = "";  // where the spec stands in lists of several kinds
  int create_status = 202;
  int update_status = 202;
  int delete_status = 202;
};

std::span<const AssetRow> AssetRows();
// The row whose routes serve this call.
const AssetRow& RowOf(const Call& call);
const AssetRow& RowOf(AssetKind kind);

}  // namespace yard::api
