#include "app/demo_objects.h"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"

namespace yard::app {
namespace {

using client::Client;
using client::Outcome;

constexpr std::string_view kResearcher = "tomas@lab.example";
constexpr std::string_view kProject = "language";
constexpr int kTrials = 24;
constexpr int kSteps = 120;

Outcome<json::value> Send(Client& client, client::Method method, std::string path,
                          const json::object& body) {
  return client.SendForJson(
      {.method = method, .path = std::move(path), .body = json::serialize(body)});
}

Outcome<json::value> Post(Client& client, std::string path, const json::object& body) {
  return Send(client, client::Method::kPost, std::move(path), body);
}

Outcome<std::string> TokenOf(const std::string& socket, std::string_view email,
                             const std::string& password) {
  Client stranger({.url = "http://localhost", .unix_socket = socket});
  YARD_ASSIGN(json::value tokens,
              Post(stranger, "/api/v1/token",
                   {{"grantType", "password"}, {"username", email}, {"password", password}}));
  return std::string(tokens.at("accessToken").as_string());
}

Outcome<std::string> ProjectId(Client& client) {
  YARD_ASSIGN(json::value list, client.Get("/api/v1/org-unit/projects"));
  for (const json::value& project : list.at("projects").as_array()) {
    if (project.at("name").as_string() == kProject)
      return std::string(project.at("id").as_string());
  }
  return std::unexpected(Error{Code::kNotFound, fmt::format("no project {}", kProject)});
}

Outcome<void> MakeRules(Client& client) {
  const json::object most{{"max", 8}};
  const json::object compute{{"gpuDevicesRequest", most}};
  const json::object rules{{"compute", compute}};
  const json::object defaults{{"imagePullPolicy", "IfNotPresent"}};
  YARD_TRY(Send(client, client::Method::kPut, "/api/v2/policy/workspaces",
                {{"meta", json::object{{"name", "notebooks"}, {"scope", "tenant"}}},
                 {"policy", json::object{{"defaults", defaults}, {"rules", rules}}}}));
  return {};
}

Outcome<void> MakeCredential(Client& client, const std::string& project) {
  YARD_TRY(Post(client, "/api/v1/asset/credentials/password",
                {{"meta",
                  {{"name", "registry-login"},
                   {"description", "Images of the language group"},
                   {"scope", "project"},
                   {"projectId", ParseInt(project).value_or(0)}}},
                 {"spec", {{"user", "robot"}, {"password", "not-a-real-one"}}}}));
  return {};
}

// How a training of that learning rate goes, the same each time.
double LossAt(double rate, int step) {
  const double speed = 0.02 + 0.015 * (5 - std::abs(std::log10(rate) + 3.5));
  return 1.2 + 6.5 * std::exp(-speed * step) + 0.08 * std::sin(step * 0.7 + rate * 1e5);
}

Outcome<void> MakeRun(Client& client, std::size_t number, double rate, Time now) {
  const auto begin = static_cast<double>((now - Hours(5) + Minutes(70 * number)).micros) / 1e6;
  const json::object config{{"lr", rate}, {"model", "llama-8b"}, {"batch", 64}};
  json::array records;
  records.push_back(json::object{{"kind", "start"},
                                 {"time", begin},
                                 {"project", kProject},
                                 {"name", fmt::format("llama-8b-lr-{:g}", rate)}});
  records.push_back(json::object{{"kind", "config"}, {"time", begin}, {"values", config}});
  for (int step = 1; step <= kSteps; ++step) {
    const json::object values{{"loss", LossAt(rate, step)},
                              {"tokens_per_s", 41'000 + 700 * std::sin(step)}};
    records.push_back(json::object{{"kind", "metrics"},
                                   {"time", begin + step * 30.0},
                                   {"step", step * 50},
                                   {"values", values}});
  }
  records.push_back(
      json::object{{"kind", "finish"}, {"time", begin + (kSteps + 1) * 30.0}, {"exit_code", 0}});
  YARD_TRY(Post(client, fmt::format("/api/v1/runs/{:032x}/batch", 0xdec0de00 + number),
                {{"offset", 0}, {"records", std::move(records)}}));
  return {};
}

Outcome<void> MakeRuns(Client& client, Time now) {
  constexpr std::array kRates = {3e-3, 3e-4, 3e-5};
  for (std::size_t i = 0; i < kRates.size(); ++i) YARD_TRY(MakeRun(client, i, kRates.at(i), now));
  return {};
}

json::object StudySpec() {
  const json::object rate{{"name", "lr"}, {"low", 1e-5}, {"high", 1e-2}, {"log", true}};
  const json::object layers{{"name", "layers"}, {"type", "int"}, {"low", 2}, {"high", 12}};
  const json::object optimizer{{"name", "optimizer"}, {"choices", json::array{"adamw", "lion"}}};
  return {{"objectives", json::array{json::object{{"metric", "loss"}}}},
          {"parameters", json::array{rate, layers, optimizer}},
          {"seed", 7},
          {"maxTrials", 60}};
}

// As if tomas had tried these by hand and told the server how they went.
Outcome<void> MakeStudy(Client& client, const std::string& project) {
  YARD_ASSIGN(json::value study,
              Post(client, "/api/v1/studies",
                   {{"name", "llama-8b-lora"}, {"projectId", project}, {"spec", StudySpec()}}));
  const std::string id(study.at("id").as_string());
  for (int i = 0; i < kTrials; ++i) {
    const double exponent = -4.9 + 2.8 * ((i * 7) % kTrials) / kTrials;
    const int layers = 2 + (i * 5) % 11;
    const double loss = 1.2 + 0.35 * std::abs(exponent + 3.5) + 0.03 * std::abs(layers - 8) +
                        (i % 2 == 0 ? 0.0 : 0.05);
    const json::object parameters{{"lr", std::pow(10, exponent)},
                                  {"layers", layers},
                                  {"optimizer", i % 2 == 0 ? "adamw" : "lion"}};
    YARD_TRY(Post(client, fmt::format("/api/v1/studies/{}/trials", id),
                  {{"parameters", parameters}, {"values", json::array{loss}}}));
  }
  return {};
}

}  // namespace

Outcome<void> MakeDemoObjects(const std::string& socket, const std::string& password, Time now) {
  Client administrator({.url = "http://localhost", .unix_socket = socket});
  YARD_ASSIGN(std::string token, TokenOf(socket, kResearcher, password));
  Client researcher({.url = "http://localhost", .unix_socket = socket, .token = token});
  YARD_ASSIGN(std::string project, ProjectId(researcher));
  YARD_TRY(MakeRules(administrator));
  YARD_TRY(MakeCredential(administrator, project));
  YARD_TRY(MakeRuns(researcher, now));
  return MakeStudy(researcher, project);
}

}  // namespace yard::app
