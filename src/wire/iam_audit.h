// The journal as the audit log on the wire, and as a file of comma-separated values.
#pragma once

#include <string>

#include "model/journal.h"
#include "wire/writer.h"

namespace yard::wire {

void WriteAuditLog(Writer& w, const JournalRecord& record);

void AppendAuditCsvHead(std::string& out);
void AppendAuditCsv(std::string& out, const JournalRecord& record);

// What the contract calls these of a record.
std::string_view AuditResult(const JournalRecord& record);
std::string AuditAddress(const JournalRecord& record);

}  // namespace yard::wire
