#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"

namespace yard::api {
namespace {

using testing::Harness;

TEST(Site, TheMessageOfTheDayIsForEverybodyWhoIsSignedIn) {
  Harness h;
  EXPECT_EQ(h.As("ann@lab.org").Get("/api/v1/site").Json().at("messageOfTheDay"), "");
  h.Admin().Put("/v1/k8s/setting",
                R"({"key":"message-of-the-day","value":"Disks move on Friday."})");
  EXPECT_EQ(h.As("ann@lab.org").Get("/api/v1/site").Json().at("messageOfTheDay"),
            "Disks move on Friday.");
  EXPECT_EQ(h.Nobody().Get("/api/v1/site").status, 401);
}

TEST(Site, AnybodyReadsTheNoteOfTheSignInPageAndNothingElse) {
  Harness h;
  h.Admin().Put("/v1/k8s/setting", R"({"key":"message-of-the-day","value":"secret"})");
  h.Admin().Put("/v1/k8s/setting", R"({"key":"sign-in-note","value":"Ask at the desk."})");
  EXPECT_EQ(h.Nobody().Get("/api/v1/site/sign-in").body, R"({"note":"Ask at the desk."})");
}

TEST(Site, APriceIsAnAmountAndACurrency) {
  Harness h;
  auto put = [&](const char* body) { return h.Admin().Put("/v1/k8s/setting", body).status; };
  EXPECT_EQ(put(R"({"key":"price.gpu-hour","value":"cheap"})"), 400);
  EXPECT_EQ(put(R"({"key":"price.gpu-hour","value":1.2})"), 400);
  EXPECT_EQ(put(R"({"key":"price.gpu-hour","value":"-1 EUR"})"), 400);
  EXPECT_FALSE(h.Admin().Get("/api/v1/site").Json().as_object().contains("gpuHourPrice"));
  EXPECT_EQ(put(R"({"key":"price.gpu-hour","value":"1.2 EUR"})"), 200);
  json::value price = h.Admin().Get("/api/v1/site").Json().at("gpuHourPrice");
  EXPECT_EQ(price.at("amount").to_number<double>(), 1.2);
  EXPECT_EQ(price.at("currency"), "EUR");
  EXPECT_EQ(put(R"({"key":"price.gpu-hour","value":""})"), 200);
  EXPECT_FALSE(h.Admin().Get("/api/v1/site").Json().as_object().contains("gpuHourPrice"));
}

}  // namespace
}  // namespace yard::api
