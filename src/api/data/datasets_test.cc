// Data sets through the API, as members of projects meet them.
#include "control/data/datasets.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"
#include "data/frame.h"
#include "data/manifest.h"

namespace yard::api {
namespace {

using testing::Caller;
using testing::Harness;
using testing::Response;

class DataRoutes : public ::testing::Test {
 protected:
  DataRoutes() : vision_(h_.MakeProject("vision")), speech_(h_.MakeProject("speech")) {
    h_.Grant("ann@lab.org", "L1 researcher", Scope::Of(vision_));
    h_.Grant("lee@lab.org", "L2 researcher", Scope::Of(vision_));
    h_.Grant("sam@lab.org", "L1 researcher", Scope::Of(speech_));
  }

  Caller Ann() { return h_.As("ann@lab.org"); }
  static std::string Path(ProjectId project, std::string_view rest = "") {
    return fmt::format("/api/v1/datasets/{}{}", project.value, rest);
  }
  static std::string Framed(std::string_view content) {
    std::string out;
    data::AppendPacked(out, data::IdOf(content), content);
    return out;
  }
  static std::string ManifestOf(std::string_view content) {
    return data::WriteManifest({{.path = "f",
                                 .kind = data::Kind::kFile,
                                 .mode = 0644,
                                 .size = content.size(),
                                 .target = {},
                                 .segments = {{content.size(), false, data::IdOf(content)}}}});
  }
  static std::string Draft(std::string_view tag, std::string_view manifest) {
    return fmt::format(R"({{"name":"images","tag":"{}","manifest":["{}"]}})", tag,
                       data::Hex(data::IdOf(manifest)));
  }
  // The version's id.
  std::string Push(std::string_view tag, std::string_view content) {
    const std::string manifest = ManifestOf(content);
    Response sent = Ann().Post(Path(vision_, "/chunks"), Framed(content) + Framed(manifest));
    EXPECT_EQ(sent.status, 200) << sent.body;
    Response made = Ann().Post(Path(vision_, "/versions"), Draft(tag, manifest));
    EXPECT_EQ(made.status, 200) << made.body;
    return std::string(made.Json().at("version").at("version").as_string());
  }
  Response Submit(Caller caller, ProjectId project, std::string_view data_set) {
    return caller.Post(
        "/api/v1/workloads/trainings",
        fmt::format(
            R"({{"name":"train","projectId":"{}","clusterId":"{}","spec":{{"command":"true",)"
            R"("storage":{{"dataSets":[{}]}}}}}})",
            project.value, FormatUuid(h_.cluster().value), data_set));
  }

  Harness h_;
  const ProjectId vision_;
  const ProjectId speech_;
};

TEST_F(DataRoutes, AMemberPushesListsAndReads) {
  const std::string version = Push("latest", "content https://user:password@host/ of a file");
  Response listed = Ann().Get(Path(vision_));
  ASSERT_EQ(listed.status, 200) << listed.body;
  const json::value answer = listed.Json();
  const json::value& set = answer.at("dataSets").at(0);
  EXPECT_EQ(set.at("name"), "images");
  EXPECT_EQ(set.at("tags").at(0).at("version").as_string(), version);
  EXPECT_EQ(set.at("versions").at(0).at("createdBy"), "ann@lab.org");
  EXPECT_GT(answer.at("storedBytes").as_int64(), 0);
  Response one = Ann().Get(Path(vision_, "/sets/images?version=" + version.substr(0, 12)));
  EXPECT_EQ(one.status, 200) << one.body;
  const data::ChunkId id = data::IdOf("content https://user:password@host/ of a file");
  Response read = Ann().Post(Path(vision_, "/read"), std::string(id.view()));
  ASSERT_EQ(read.status, 200) << read.body;
  EXPECT_TRUE(data::Unpack(data::ReadFrames(read.body)->at(0))) << "bytes are not masked";
}

TEST_F(DataRoutes, OnlyWhatIsMissingIsAskedFor) {
  Push("latest", "here");
  const data::ChunkId ids[] = {data::IdOf("here"), data::IdOf("gone")};
  Response missing = Ann().Post(Path(vision_, "/missing?push=1"), data::JoinIds(ids));
  EXPECT_EQ(missing.body, std::string(ids[1].view()));
  EXPECT_EQ(Ann().Post(Path(vision_, "/missing"), "odd").status, 400);
}

TEST_F(DataRoutes, AnotherProjectsMemberGetsNothing) {
  Push("latest", "secret");
  Caller sam = h_.As("sam@lab.org");
  const std::string id(data::IdOf("secret").view());
  EXPECT_EQ(sam.Get(Path(vision_)).status, 403);
  EXPECT_EQ(sam.Post(Path(vision_, "/read"), id).status, 403);
  EXPECT_EQ(sam.Post(Path(vision_, "/missing"), id).status, 403);
  EXPECT_EQ(sam.Post(Path(vision_, "/chunks"), Framed("x")).status, 403);
  EXPECT_EQ(sam.Delete(Path(vision_, "/sets/images")).status, 403);
  // With the id, in the own project: it is not there, and what is missing does not tell of others.
  EXPECT_EQ(sam.Post(Path(speech_, "/read"), id).status, 404);
  EXPECT_EQ(sam.Post(Path(speech_, "/missing"), id).body, id);
  EXPECT_EQ(Submit(sam, speech_, R"({"name":"images"})").status, 404);
}

TEST_F(DataRoutes, WhoMayOnlyReadDoesNotPush) {
  Push("latest", "x");
  Caller lee = h_.As("lee@lab.org");
  EXPECT_EQ(lee.Get(Path(vision_)).status, 200);
  EXPECT_EQ(lee.Post(Path(vision_, "/chunks"), Framed("y")).status, 403);
  EXPECT_EQ(lee.Delete(Path(vision_, "/sets/images")).status, 403);
  const Response used = Submit(lee, vision_, R"({"name":"images"})");
  EXPECT_EQ(used.status, 200) << used.body;
}

TEST_F(DataRoutes, WorkIsBoundToTheVersionOfItsSubmission) {
  const std::string first = Push("latest", "one");
  Response made = Submit(Ann(), vision_, R"({"name":"images","mountPath":"/in"})");
  ASSERT_EQ(made.status, 200) << made.body;
  const json::value work = made.Json();
  EXPECT_EQ(work.at("spec").at("storage").at("dataSets").at(0).at("version").as_string(), first);
  Push("latest", "two");
  Response removed = Ann().Delete(Path(vision_, "/sets/images?version=" + first));
  EXPECT_EQ(removed.status, 409) << removed.body;
  const std::string id(work.at("workloadId").as_string());
  ASSERT_EQ(Ann().Delete("/api/v1/workloads/trainings/" + id).status, 204);
  removed = Ann().Delete(Path(vision_, "/sets/images?version=" + first));
  EXPECT_EQ(removed.status, 200) << removed.body;
  EXPECT_EQ(removed.Json().at("versions"), 1);
}

TEST_F(DataRoutes, ATagThatIsNotThereIsRefusedAtOnce) {
  Response refused = Submit(Ann(), vision_, R"({"name":"images","tag":"v9"})");
  EXPECT_EQ(refused.status, 404);
  EXPECT_TRUE(refused.body.contains("images:v9")) << refused.body;
}

TEST_F(DataRoutes, HostileManifestsAreRefused) {
  for (const char* path : {"../../etc/cron.d/x", "/etc/passwd", "a/b"}) {
    const std::string manifest =
        data::WriteManifest({{.path = path, .kind = data::Kind::kFile, .mode = 0644}});
    ASSERT_EQ(Ann().Post(Path(vision_, "/chunks"), Framed(manifest)).status, 200);
    Response refused = Ann().Post(Path(vision_, "/versions"), Draft("latest", manifest));
    EXPECT_EQ(refused.status, 400) << refused.body;
  }
  EXPECT_EQ(Ann().Post(Path(vision_, "/versions"), R"({"name":"../x","manifest":[]})").status, 400);
  EXPECT_EQ(Ann().Post(Path(vision_, "/versions"), R"({"name":"x","manifest":["zz"]})").status,
            400);
}

}  // namespace
}  // namespace yard::api
