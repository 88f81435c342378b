#include <cmath>

#include <boost/json/value.hpp>

#include "base/strings.h"
#include "wire/org.h"
#include "wire/reader.h"

namespace yard::wire {

Result<ReservationBody> ReadReservation(const json::object& body) {
  ReservationBody out;
  std::vector<FieldIssue> issues;
  Reader reader(body, "", issues);
  reader("name", out.name);
  reader("nodePool", out.pool);
  reader("start", out.start);
  reader("end", out.end);
  double gpus = 0;
  reader("gpu", gpus);
  out.gpu = MilliGpu(std::llround(gpus * 1000));
  std::optional<std::int64_t> minutes;
  reader("releaseAfterMinutes", minutes);
  if (minutes) out.release_after_seconds = *minutes * 60;
  std::string project;
  reader("projectId", project);
  std::optional<std::int64_t> id = project.empty() ? 0 : ParseInt(project);
  if (!id) {
    return Fail(Code::kInvalid, "projectId must be a number in quotes",
                "see GET /api/v1/org-unit/projects for the ids");
  }
  out.project = *id;
  return out;
}

std::string_view StateOf(const ReservationView& view) {
  if (view.now < view.reservation->start) return "upcoming";
  return view.now < view.reservation->end ? "active" : "ended";
}

void WriteReservation(Writer& w, const ReservationView& view) {
  const Reservation& one = *view.reservation;
  w.Begin();
  w("id", one.id);
  w("name", one.name);
  w("projectId", std::to_string(one.project.value));
  w("projectName", view.project_name);
  w("clusterId", one.cluster);
  w("gpu", static_cast<double>(one.gpu.value) / 1000);
  w.OrNull("nodePool", view.pool_name);
  w("start", one.start);
  w("end", one.end);
  std::optional<std::int64_t> minutes;
  if (one.release_after_seconds) minutes = *one.release_after_seconds / 60;
  w.OrNull("releaseAfterMinutes", minutes);
  w("state", StateOf(view));
  w("createdAt", one.stamp.created_at);
  w("createdBy", one.stamp.created_by);
  w("updatedAt", one.stamp.updated_at);
  w("updatedBy", one.stamp.updated_by);
  w.End();
}

}  // namespace yard::wire
