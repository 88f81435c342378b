#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "base/json_text.h"
#include "control/commands/job_definitions.h"
#include "control/commands/scheduler_settings.h"
#include "control/policy/host_access.h"
#include "wire/setting.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Txn;

constexpr std::string_view kLogo = "logo";  // kept among the settings, but not shown as one

std::string TextOf(const json::value& value) {
  const json::string* text = value.if_string();
  return text == nullptr ? JsonText(value) : std::string(std::string_view(*text));
}

std::string_view TypeOf(const json::value& value) {
  if (value.is_bool()) return "boolean";
  if (value.is_number()) return "number";
  return value.is_string() ? "string" : "object";
}

Result<Ptr<Setting>> PutSetting(Txn& txn, const std::string& key, const json::value& value) {
  YARD_TRY(txn.Require(Resource::kSettings, Action::kUpdate, {}));
  YARD_TRY(control::CheckSetting(key, wire::PlainText(value)));
  Setting setting{.id = key, .stamp = txn.NewStamp()};
  if (Ptr<Setting> current = txn.state().Find<Setting>(key)) {
    setting.stamp = current->stamp;
    txn.Touch(setting.stamp);
  }
  setting.value = wire::SettingDocument(value);
  return txn.Put(std::move(setting));
}

constexpr std::string_view kMessage = "message-of-the-day";
constexpr std::string_view kSignInNote = "sign-in-note";
constexpr std::string_view kPrice = "price.gpu-hour";

// The text of a setting; empty if nobody has made it.
std::string SettingText(const control::State& state, std::string_view key) {
  Ptr<Setting> setting = state.Find<Setting>(std::string(key));
  return setting ? TextOf(wire::SettingValue(*setting)) : std::string();
}

struct Price {
  double amount = 0;
  std::string currency;
};

// "1.20 EUR".
std::optional<Price> ParsePrice(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::string_view number = text.substr(0, space);
  double amount = 0;
  auto [end, error] = std::from_chars(number.begin(), number.end(), amount);
  const bool whole = error == std::errc() && end == number.end();
  const std::string_view currency = text.substr(space + 1);
  const bool fits = whole && amount >= 0 && !currency.empty() && currency.size() <= 8;
  return fits ? std::optional(Price{amount, std::string(currency)}) : std::nullopt;
}

Result<void> CheckPrice(std::string_view key, const json::value& value) {
  const json::string* text = value.if_string();
  if (key != kPrice || (text != nullptr && (text->empty() || ParsePrice(*text)))) return {};
  return Fail(Code::kInvalid, "value: a price is an amount and a currency",
              "write it as \"1.20 EUR\", or \"\" for no price");
}

struct SettingView {
  std::string_view key;
  std::string_view value;
  std::string_view type;
  std::string_view category;
};

void WriteSetting(wire::Writer& w, const SettingView& view) {
  w.Item();
  w.Begin();
  w("key", view.key);
  w("value", view.value);
  w("type", view.type);
  w("category", view.category);
  w("label", view.key);
  w("active", true);
  w.End();
}

Result<Answer> ListSettings(Call& call) {
  YARD_TRY(call.Require({}));
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  call.state().Of<Setting>().Each([&](const Setting& setting) {
    bool elsewhere = setting.id == kLogo || control::IsHostAccessKey(setting.id) ||
                     control::IsJobDefinitionKey(setting.id);
    if (elsewhere || control::IsSchedulerSetting(setting.id)) return;
    json::value value = wire::SettingValue(setting);
    WriteSetting(w, {setting.id, TextOf(value), TypeOf(value), "General"});
  });
  // Those of the scheduler hold whether somebody has set them or not.
  for (const control::ShownSetting& shown : control::SchedulerSettings(call.state())) {
    WriteSetting(w, {shown.key, shown.value, "string", "Scheduler"});
  }
  w.EndList();
  return Json(std::move(out));
}

// The contract answers a boolean; a setting nobody has made is false.
Result<Answer> GetSetting(Call& call) {
  YARD_TRY(call.Require({}));
  std::string_view key = call.Path("settingKey");
  for (const control::ShownSetting& shown : control::SchedulerSettings(call.state())) {
    if (shown.key == key) return Json(JsonText(json::value(shown.value)));
  }
  Ptr<Setting> setting = call.state().Find<Setting>(std::string(key));
  if (control::IsJobDefinitionKey(key)) setting = nullptr;
  json::value value = setting ? wire::SettingValue(*setting) : json::value(false);
  return Json(JsonText(value));
}

Result<Answer> SetSetting(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  std::string key(std::string_view(body.at("key").as_string()));
  if (key == kLogo)
    return Fail(Code::kInvalid, "key: the logo is set elsewhere", "send it to POST /api/v1/logo");
  if (control::IsHostAccessKey(key))
    return Fail(Code::kInvalid, "key: what work may have of its machine is set elsewhere",
                "send it to PUT /api/v1/host-access/{scopeType}/{scopeId}");
  if (control::IsJobDefinitionKey(key))
    return Fail(Code::kInvalid, "key: job definitions are saved elsewhere",
                "send it to POST /queue/management/jobs/save");
  json::value value = body.at("value");
  YARD_TRY(CheckPrice(key, value));
  return Commit([key, value](Txn& txn) { return PutSetting(txn, key, value); },
                [](const Ptr<Setting>& setting) {
                  std::string out;
                  wire::Writer w(out);
                  w.Begin();
                  w("msg", fmt::format("setting {} was saved", setting->id));
                  w.End();
                  return Json(std::move(out));
                });
}

Result<Answer> GetLogo(Call& call) {
  Ptr<Setting> setting = call.state().Find<Setting>(std::string(kLogo));
  if (!setting) return Empty(204);
  return Json(JsonText(json::object{{"logo", wire::SettingValue(*setting)}}));
}

Result<Answer> SetLogo(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  json::value logo = body.at("logo");
  return Commit([logo](Txn& txn) { return PutSetting(txn, std::string(kLogo), logo); },
                [](const Ptr<Setting>&) { return Json("{}"); });
}

// The settings that are for everybody who is signed in.
Result<Answer> GetSite(Call& call) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("messageOfTheDay", SettingText(call.state(), kMessage));
  if (std::optional<Price> price = ParsePrice(SettingText(call.state(), kPrice))) {
    w.Key("gpuHourPrice");
    w.Begin();
    w("amount", price->amount);
    w("currency", price->currency);
    w.End();
  }
  w.End();
  return Json(std::move(out));
}

// Anybody may read it: the sign-in page shows it.
Result<Answer> GetSignInNote(Call& call) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("note", SettingText(call.state(), kSignInNote));
  w.End();
  return Json(std::move(out));
}

}  // namespace

void AddSettingRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Need kView = May(Action::kRead, Resource::kSettings);
  constexpr Need kChange = May(Action::kUpdate, Resource::kSettings);
  for (std::string_view path : {"/v1/k8s/setting", "/v1/k8s/settings"}) {
    routes.push_back({kGet, path, kView, ListSettings, "List settings", "", "[Setting]"});
    routes.push_back(
        {kPut, path, kChange, SetSetting, "Save a setting", "SettingChange", "SettingReply"});
  }
  routes.push_back({kGet, "/v1/k8s/setting/{settingKey}", kView, GetSetting,
                    "The value of a setting", "", "any"});
  routes.push_back({kGet, "/api/v1/site", SignedIn(), GetSite,
                    "The message of the day and the price of a GPU-hour", "", "Site"});
  routes.push_back({kGet, "/api/v1/site/sign-in", Public(), GetSignInNote,
                    "What the sign-in page tells everybody", "", "SignInNote"});
  routes.push_back({kGet, "/api/v1/logo", SignedIn(), GetLogo, "The tenant's logo", "", "Logo?"});
  routes.push_back(
      {kPost, "/api/v1/logo", kChange, SetLogo, "Set the tenant's logo", "Logo", "object"});
}

}  // namespace yard::api
