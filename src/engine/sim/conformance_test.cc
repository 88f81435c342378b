// The suite of all engines, on the simulated one.
#include <memory>

#include "engine/sim/sim_engine.h"
#include "engine/testing/conformance.h"
#include "engine/testing/far_engine.h"

namespace yard::engine::testing {
namespace {

class SimHost : public Host {
 public:
  SimHost()
      : world_(std::make_shared<SimWorld>(
            std::vector{SimNode("sim-0", MilliCpu(8000), Mebibytes(32'768))}, SystemClock())) {
    world_->StartThread();
  }
  std::unique_ptr<Engine> Open() override { return MakeSimEngine(world_); }
  TaskSpec Shell(const std::string& script) const override {
    TaskSpec spec;
    spec.node = "sim-0";
    spec.command = {"sh", "-c", script};
    return spec;
  }
  std::vector<std::string> Leftovers() const override { return {}; }

 private:
  const std::shared_ptr<SimWorld> world_;
};

// The same machines, far away.
class FarSimHost final : public SimHost {
 public:
  explicit FarSimHost(std::uint64_t seed) : seed_(seed) {}
  std::unique_ptr<Engine> Open() override {
    return MakePersistentEngine(MakeFarEngine(SimHost::Open(), seed_++));
  }

 private:
  std::uint64_t seed_;
};

INSTANTIATE_TEST_SUITE_P(Sim, Conformance,
                         ::testing::Values(Subject{"sim",
                                                   [] { return std::make_unique<SimHost>(); }}));
INSTANTIATE_TEST_SUITE_P(
    Far, Conformance,
    ::testing::Values(Subject{"sim1", [] { return std::make_unique<FarSimHost>(1); }},
                      Subject{"sim2", [] { return std::make_unique<FarSimHost>(100); }}),
    SubjectName);

}  // namespace
}  // namespace yard::engine::testing
