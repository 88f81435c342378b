#include "sched/testing/cluster.h"

#include <algorithm>

#include "base/check.h"
#include "sched/testing/words.h"

namespace yard::sched {
Cluster::Cluster(std::string_view text) {
  snapshot_.now = Time{Days(100).value};
  std::vector<std::string> statements = Cut(text, ';');
  // Pools first, so that queues know how many shares they have.
  std::ranges::stable_partition(statements, [](const std::string& statement) {
    return Words(statement, Words::Noun::kPresent).noun == "pool";
  });
  if (statements.empty() || Words(statements.front(), Words::Noun::kPresent).noun != "pool") {
    snapshot_.pools.push_back({"default", Strategy::kBinPack, Strategy::kBinPack});
  }
  for (const std::string& statement : statements) AddStatement(statement);
}

void Cluster::AddStatement(std::string_view text) {
  const Words words(text, Words::Noun::kPresent);
  if (words.noun == "pool") {
    Strategy strategy = Strategy::kBinPack;
    if (words.Has("spread")) strategy = Strategy::kSpread;
    if (words.Has("frag")) strategy = Strategy::kFragmentation;
    snapshot_.pools.push_back({words.name, strategy, strategy});
  } else if (words.noun == "model") {
    snapshot_.models.push_back({words.name, Mebibytes(words.Number("mem", 80) * 1024)});
  } else if (words.noun == "node") {
    AddNode(words);
  } else if (words.noun == "department") {
    AddQueue(words, QueueLevel::kDepartment);
  } else if (words.noun == "project") {
    AddQueue(words, QueueLevel::kProject);
  } else if (words.noun == "user") {
    snapshot_.users.push_back({words.name,
                               words.Has("cap") ? Milli(words.Text("cap", "")) : kUnlimited,
                               words.Number("interactive", kUnlimited)});
  } else if (words.noun == "reserve") {
    AddReservation(words);
  } else if (words.noun == "topology") {
    snapshot_.levels.push_back(words.name);
  } else {
    YARD_CHECK(words.noun == "extended");
    snapshot_.extended.push_back(words.name);
  }
}

PoolIndex Cluster::PoolNamed(const std::string& name) {
  return PoolIndex(RowOf(snapshot_.pools, name));
}

LabelIndex Cluster::Label(const std::string& text) {
  const auto at = std::ranges::find(snapshot_.labels, text);
  if (at == snapshot_.labels.end()) {
    snapshot_.labels.push_back(text);
    return LabelIndex(static_cast<std::int32_t>(snapshot_.labels.size()) - 1);
  }
  return LabelIndex(static_cast<std::int32_t>(at - snapshot_.labels.begin()));
}

std::vector<LabelIndex> Cluster::Labels(const std::string& text, char separator) {
  std::vector<LabelIndex> labels;
  for (const std::string& part : Cut(text, separator)) labels.push_back(Label(part));
  std::ranges::sort(labels);
  return labels;
}

void Cluster::AddNode(const Words& words) {
  Node node;
  node.name = words.name;
  node.pool = words.Has("pool") ? PoolNamed(words.Text("pool", "")) : PoolIndex(0);
  if (words.Has("model")) node.model = ModelIndex(RowOf(snapshot_.models, words.Text("model", "")));
  node.gpus.resize(static_cast<std::size_t>(words.Number("gpu", 0)));
  const auto island = static_cast<std::size_t>(words.Number("island", 64));
  const auto numa = static_cast<std::size_t>(words.Number("numa", 64));
  for (std::size_t g = 0; g < node.gpus.size(); ++g) {
    node.gpus[g].island = static_cast<std::int8_t>(g / island);
    node.gpus[g].numa = static_cast<std::int8_t>(g / numa);
  }
  for (std::int64_t g = 0; g < words.Number("sick", 0); ++g) {
    node.gpus[static_cast<std::size_t>(g)].usable = MilliGpu(0);
  }
  node.cpu = MilliCpu(words.Number("cpu", 1000) * 1000);
  node.memory = Mebibytes(words.Number("mem", 10'000) * 1024);
  node.labels = Labels(words.Text("labels", ""), ',');
  node.taints = Labels(words.Text("taints", ""), ',');
  for (const std::string& name : Cut(words.Text("domains", ""), '/')) {
    auto at = std::ranges::find(snapshot_.domains, name);
    if (at == snapshot_.domains.end()) {
      snapshot_.domains.push_back(name);
      at = snapshot_.domains.end() - 1;
    }
    node.domains.push_back(DomainIndex(static_cast<std::int32_t>(at - snapshot_.domains.begin())));
  }
  for (const std::string& name : snapshot_.extended) {
    node.extended.push_back(words.Number(name, 0));
  }
  if (words.Has("down")) node.state = NodeState::kDown;
  if (words.Has("cordoned")) node.state = NodeState::kCordoned;
  snapshot_.nodes.push_back(std::move(node));
}

void Cluster::ReadShare(const Words& words, QueueShare& share, const std::string& suffix) {
  if (const auto* quota = words.Find("quota" + suffix)) share.quota.gpu = MilliGpu(Milli(*quota));
  if (const auto* limit = words.Find("limit" + suffix)) share.limit.gpu = MilliGpu(Milli(*limit));
  if (const auto* cpu = words.Find("cpulimit" + suffix)) {
    share.limit.cpu = MilliCpu(Milli(*cpu));
  }
  if (const auto* memory = words.Find("memlimit" + suffix)) {
    share.limit.memory = Mebibytes(std::stoll(*memory) * 1024);
  }
  if (const auto* cpu = words.Find("cpuquota" + suffix)) {
    share.quota.cpu = MilliCpu(Milli(*cpu));
  }
  share.weight = static_cast<std::int32_t>(words.Number("weight" + suffix, share.weight));
  share.priority = static_cast<std::int32_t>(words.Number("priority" + suffix, share.priority));
  share.usage_millionths = words.Number("usage" + suffix, share.usage_millionths);
}

void Cluster::AddQueue(const Words& words, QueueLevel level) {
  Queue queue;
  queue.name = words.name;
  queue.level = level;
  if (words.Has("in")) queue.parent = QueueIndex(RowOf(snapshot_.queues, words.Text("in", "")));
  queue.created = snapshot_.now - ParseSpan(words.Text("age", "1d"));
  queue.shares.resize(snapshot_.pools.size());
  for (std::size_t p = 0; p < snapshot_.pools.size(); ++p) {
    ReadShare(words, queue.shares[p], "");
    ReadShare(words, queue.shares[p], "." + snapshot_.pools[p].name);
  }
  for (const std::string& pool : Cut(words.Text("pools", ""), ',')) {
    queue.pool_order.push_back(PoolNamed(pool));
  }
  if (words.Has("nth")) queue.fairness = Fairness::kNthGpu;
  if (words.Has("fifo")) queue.fairness = Fairness::kFifo;
  if (words.Has("decayed")) queue.fairness = Fairness::kDecayedShare;
  if (words.Has("fair")) queue.fairness = Fairness::kFairShare;
  if (words.Has("reclaimafter"))
    queue.reclaim_min_runtime = ParseSpan(words.Text("reclaimafter", ""));
  if (words.Has("preemptafter"))
    queue.preempt_min_runtime = ParseSpan(words.Text("preemptafter", ""));
  queue.max_interactive = words.Number("interactive", kUnlimited);
  snapshot_.queues.push_back(std::move(queue));
}

void Cluster::AddReservation(const Words& words) {
  Reservation made;
  made.name = words.name;
  made.queue = QueueIndex(RowOf(snapshot_.queues, words.Text("for", "")));
  made.pool = words.Has("pool") ? PoolNamed(words.Text("pool", "")) : PoolIndex(0);
  made.gpu = MilliGpu(Milli(words.Text("gpu", "1")));
  made.start = snapshot_.now + ParseSpan(words.Text("from", "0h"));
  made.end = snapshot_.now + ParseSpan(words.Text("to", "1h"));
  made.release_after = ParseSpan(words.Text("release", "0h"));
  snapshot_.reservations.push_back(std::move(made));
}

}  // namespace yard::sched
