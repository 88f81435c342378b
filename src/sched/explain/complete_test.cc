// Answers to "why does it wait" that are true and complete, and advice that works when followed.
#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sched/decide.h"
#include "sched/explain/explain.h"
#include "sched/explain/what_if.h"
#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

constexpr const char* kCases = "src/sched/testing/complete_cases.txt";

struct Expected {
  std::string text;
  std::vector<std::string> world;  // cluster, running, waiting, rules
  std::vector<std::string> parts;  // workload, outlook, causes, sentences, advice
};

std::string Trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(' ');
  if (from == std::string::npos) return "";
  return text.substr(from, text.find_last_not_of(' ') - from + 1);
}

// Keeps empty parts.
std::vector<std::string> Parts(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part = Trimmed(part);
  return parts;
}

std::vector<Expected> ReadCases() {
  std::vector<Expected> cases;
  std::ifstream file(kCases);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto arrow = line.find("=> ");
    Expected made{line, Parts(line.substr(0, arrow), '@'), Parts(line.substr(arrow + 3), '|')};
    made.parts.resize(5);
    cases.push_back(std::move(made));
  }
  return cases;
}

Cluster Build(const Expected& expected) {
  Cluster c(expected.world.at(0));
  c.Running(expected.world.at(1)).Pending(expected.world.at(2)).Rules(expected.world.at(3));
  return c;
}

std::string Word(Outlook outlook) {
  switch (outlook) {
    case Outlook::kWaits:
      return "waits";
    case Outlook::kOutOfService:
      return "service";
    case Outlook::kNever:
      return "never";
  }
  return "";
}

std::string Causes(const std::vector<Reason>& reasons) {
  std::string text;
  for (const Reason& reason : reasons) text += (text.empty() ? "" : " ") + CauseName(reason.cause);
  return text;
}

std::string Sentences(const std::vector<Reason>& reasons, const Snapshot& snapshot) {
  std::string text;
  for (const Reason& reason : reasons) text += Sentence(reason, snapshot) + " ";
  return text;
}

std::string Words(const std::vector<Advice>& advice, const Snapshot& snapshot) {
  std::string text;
  for (const Advice& one : advice) {
    for (const Change& change : one.changes) text += Describe(change, snapshot) + ", ";
    for (const Loss& loss : one.losses) {
      text += fmt::format("stops {} after {} min, ",
                          snapshot.workloads[static_cast<std::size_t>(loss.victim.value)].name,
                          loss.ran.value / Minutes(1).value);
    }
    text += "; ";
  }
  return text;
}

bool Starts(Core& core, WorkloadIndex index) {
  const Plan plan = Decide(core);
  return std::ranges::find(plan.starts, index, &Start::workload) != plan.starts.end();
}

// What would help now; of what can never run, what would make it possible on an empty cluster.
std::vector<Advice> AdviceFor(const Cluster& c, WorkloadIndex index, Outlook outlook) {
  Core core(c.snapshot(), c.policy());
  if (outlook != Outlook::kNever) return WhatWouldHelp(core, index);
  return CheckEver(c.snapshot(), c.policy(), core.At(index)).advice;
}

void FollowAll(const Expected& expected, const Cluster& c, Outlook outlook,
               const std::vector<Advice>& advice) {
  for (const Advice& one : advice) {
    Snapshot world = c.snapshot();
    WorkloadIndex index = c.Find(expected.parts[0]);
    if (outlook == Outlook::kNever) {
      const Workload own = world.workloads[static_cast<std::size_t>(index.value)];
      world = WithoutWork(c.snapshot(), Machines::kAll);
      world.workloads = {own};
      index = WorkloadIndex(0);
    }
    Core core(world, c.policy());
    for (const Change& change : one.changes) Apply(core, index, change);
    EXPECT_TRUE(Starts(core, index)) << expected.text << ": " << Words({one}, world);
  }
}

void Check(const Expected& expected) {
  const Cluster c = Build(expected);
  Core core(c.snapshot(), c.policy());
  const WorkloadIndex index = c.Find(expected.parts[0]);
  const Explanation why = Explain(core, index);
  const std::string sentences = Sentences(why.reasons, c.snapshot());
  const std::vector<Advice> advice = AdviceFor(c, index, why.outlook);
  const std::string helps = Words(advice, c.snapshot());
  const std::string got =
      fmt::format("{} | {} | {} | {}", Word(why.outlook), Causes(why.reasons), sentences, helps);
  EXPECT_EQ(why.verdict, Verdict::kWaits) << expected.text;
  EXPECT_EQ(Word(why.outlook), expected.parts[1]) << expected.text << "\n  got " << got;
  EXPECT_EQ(Causes(why.reasons), expected.parts[2]) << expected.text << "\n  got " << got;
  for (const std::string& words : Parts(expected.parts[3], ';')) {
    EXPECT_NE(sentences.find(words), std::string::npos) << words << "\n  got " << got;
  }
  for (const std::string& words : Parts(expected.parts[4], ';')) {
    EXPECT_NE(helps.find(words), std::string::npos) << words << "\n  got " << got;
  }
  FollowAll(expected, c, why.outlook, advice);
}

TEST(Complete, EveryReasonThatBindsIsNamedAndEveryAdviceWorks) {
  const std::vector<Expected> cases = ReadCases();
  ASSERT_GE(cases.size(), 78U);
  for (const Expected& expected : cases) Check(expected);
}

}  // namespace
}  // namespace yard::sched
