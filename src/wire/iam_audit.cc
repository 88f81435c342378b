#include "wire/iam_audit.h"

#include <array>

#include <fmt/format.h>

#include "base/uuid.h"
#include "wire/iam.h"

namespace yard::wire {
namespace {

// The contract wants a uuid for what is a number here.
std::string SequenceUuid(std::int64_t sequence) {
  return fmt::format("00000000-0000-7000-8000-{:012x}", sequence);
}

// The server's own changes came by no request; the contract wants a method all the same.
std::string_view MethodOf(const JournalRecord& record) {
  if (!record.origin.method.empty()) return record.origin.method;
  if (record.action == "delete") return "DELETE";
  return record.action == "update" ? "PUT" : "POST";
}

void AppendCsvCell(std::string& out, std::string_view text) {
  // A cell that a spreadsheet would take for a formula is made a text.
  bool formula = !text.empty() && std::string_view("=+-@\t\r").contains(text.front());
  out += '"';
  if (formula) out += '\'';
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

std::string_view AuditResult(const JournalRecord& record) {
  return record.status < 400 ? "Succeeded" : "Failed";
}

std::string AuditAddress(const JournalRecord& record) {
  const std::string& peer = record.origin.address;
  std::size_t colon = peer.rfind(':');
  if (peer.empty() || colon == std::string::npos) return "127.0.0.1";  // the socket or the server
  return peer.substr(0, colon);
}

void WriteAuditLog(Writer& w, const JournalRecord& record) {
  w.Begin();
  w("id", SequenceUuid(record.sequence));
  w("timestamp", record.at);
  w("tenant_id", std::to_string(kTenantId));
  w("subject", record.origin.subject);
  w("subject_type", record.origin.subject_type == "App" ? "App" : "User");
  w("source_ip", AuditAddress(record));
  w("action", record.action);
  w("http_method", MethodOf(record));
  w("url", record.origin.url.empty() ? "/" : record.origin.url);
  w("entity_type", record.entity_type);
  w("entity_name", record.entity_name);
  w("entity_id", record.entity_id);
  w("result", AuditResult(record));
  w("http_status_code", record.status);
  // The contract wants a uuid under the first name, and requires the second, as it is spelt.
  if (ParseUuid(record.origin.request_id)) w("request_id", record.origin.request_id);
  w("reqeust_id", record.origin.request_id);
  w.Key("metadata");
  w.Begin();
  w("before", record.before);
  w("after", record.after);
  w.End();
  w.End();
}

void AppendAuditCsvHead(std::string& out) {
  out +=
      "timestamp,subject,subject_type,source_ip,action,http_method,url,entity_type,entity_name,"
      "entity_id,result,http_status_code,request_id,before,after\r\n";
}

void AppendAuditCsv(std::string& out, const JournalRecord& record) {
  const Origin& origin = record.origin;
  std::array<std::string, 15> cells{FormatRfc3339(record.at),
                                    origin.subject,
                                    origin.subject_type,
                                    AuditAddress(record),
                                    record.action,
                                    std::string(MethodOf(record)),
                                    origin.url,
                                    record.entity_type,
                                    record.entity_name,
                                    record.entity_id,
                                    std::string(AuditResult(record)),
                                    std::to_string(record.status),
                                    origin.request_id,
                                    record.before.value_or(""),
                                    record.after.value_or("")};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    AppendCsvCell(out, cells[i]);
  }
  out += "\r\n";
}

}  // namespace yard::wire
