#include "cli/submit/send.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/work/find.h"

namespace yard::cli {
namespace {

using client::Outcome;

Outcome<Submitted> SendOne(Session& session, WorkKind kind, const Draft& draft, SentWork& sent) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(client::Reply reply,
              server->Send({.method = client::Method::kPost,
                            .path = fmt::format("/api/v1/workloads/{}", SegmentOfKind(kind)),
                            .body = draft.body,
                            .idempotency_key = session.NewKey()}));
  for (const std::string& warning : reply.warnings) session.Note("note: " + warning);
  YARD_ASSIGN(json::value record, ParseJson(reply.body));
  sent.records.push_back(reply.body);
  return Submitted{TextAt(record, "workloadId"), TextAt(record, "name")};
}

Outcome<std::string> PostDryRun(Session& session, WorkKind kind, const Draft& draft,
                                std::string_view more) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(client::Reply reply,
              server->Send({.method = client::Method::kPost,
                            .path = "/api/v1/workloads/dry-run",
                            .body = fmt::format(R"({{"type":"{}","workload":{}{}}})", Name(kind),
                                                draft.body, more)}));
  return reply.body;
}

struct Prepared {
  ProjectInUse project;
  std::vector<Draft> drafts;
};

// The items of an array need a name that none has; a single one is numbered by the server.
Outcome<void> FreeName(Session& session, const ProjectInUse& project, Submission& submission) {
  bool varied = submission.array || !submission.grid.empty();
  if (submission.naming != Naming::kNumber || !varied) return {};
  std::string base = NameFor(submission);
  YARD_ASSIGN(std::vector<json::value> like,
              ListWorkloads(session, fmt::format("projectName=={},name=^{}", project.name, base),
                            Existing::kLive));
  std::vector<std::string> names;
  for (const json::value& one : like) names.push_back(TextAt(one, "name"));
  submission.name = FreeArrayName(base, names);
  return {};
}

Outcome<Prepared> Prepare(Session& session, Submission& submission) {
  YARD_TRY(Check(submission));
  YARD_ASSIGN(ProjectInUse project, FindProject(session, submission.project));
  YARD_TRY(FreeName(session, project, submission));
  YARD_ASSIGN(std::vector<Draft> drafts,
              DraftsOf(submission, {project.id, project.cluster_id}, NewUuidText(session)));
  return Prepared{std::move(project), std::move(drafts)};
}

}  // namespace

std::string NewUuidText(Session& session) {
  std::array<std::uint8_t, 16> bytes{};
  session.around().random.Fill(bytes);
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

Outcome<SentWork> Send(Session& session, Submission submission) {
  YARD_ASSIGN(Prepared prepared, Prepare(session, submission));
  SentWork sent{.project = prepared.project.name, .name = NameFor(submission)};
  for (const Draft& draft : prepared.drafts) {
    Outcome<Submitted> one = SendOne(session, submission.kind, draft, sent);
    if (!one && !sent.items.empty()) {
      session.Note(PartlySent(submission, prepared.drafts, sent.items.size()));
      // Without an answer nobody knows whether it arrived.
      if (one.error().status == 0)
        session.Note(fmt::format("  {} may have been submitted, too: see `gpuyard show {}`",
                                 draft.name, sent.name));
    }
    if (!one) return std::unexpected(one.error());
    sent.items.push_back(*std::move(one));
  }
  if (sent.items.size() == 1 && prepared.drafts[0].title.empty()) sent.name = sent.items[0].name;
  return sent;
}

Outcome<std::string> DryRun(Session& session, Submission submission) {
  YARD_ASSIGN(Prepared prepared, Prepare(session, submission));
  return PostDryRun(session, submission.kind, prepared.drafts[0], "");
}

Outcome<std::string> AskWhetherEver(Session& session, const Submission& submission) {
  constexpr std::string_view kCostly[] = {"compute.gpuDevicesRequest", "compute.cpuCoreRequest",
                                          "compute.cpuMemoryRequest", "nodePools", "numWorkers"};
  bool costly = std::ranges::any_of(kCostly, [&](auto path) { return submission.spec.Has(path); });
  if (!costly) return "{}";
  YARD_ASSIGN(ProjectInUse project, FindProject(session, submission.project));
  YARD_ASSIGN(std::vector<Draft> drafts,
              DraftsOf(submission, {project.id, project.cluster_id}, NewUuidText(session)));
  return PostDryRun(session, submission.kind, drafts[0], R"(,"onlyWhetherEver":true)");
}

}  // namespace yard::cli
