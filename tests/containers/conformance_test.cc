// The suite of all engines, with every task in a container.
#include "tests/containers/lab.h"

#include "engine/testing/conformance.h"
#include "tests/containers/workbench.h"

namespace yard::engine::testing {
namespace {

class ContainerHost final : public Host {
 public:
  std::unique_ptr<Engine> Open() override { return place_.Open(); }
  TaskSpec Shell(const std::string& script) const override {
    TaskSpec spec;
    spec.container = Container{.image = lab::TestImage()};
    spec.command = {"/bin/sh", "-c"};
    spec.args = {script};
    // One clause needs a Python.
    spec.mounts = {{MountKind::kHostPath, "/usr", "/usr", true}};
    return spec;
  }
  // The kernel spares the first process of a container its own signals, so a child dies by it and
  // the shell says so in the usual way.
  std::string KillSelf() const override { return "sh -c 'kill -9 $$'; exit $?"; }
  std::vector<std::string> Leftovers() const override { return place_.Leftovers(); }

 private:
  lab::Place place_;
};

const auto kContainers =
    ::testing::Values(Subject{"containers", [] { return std::make_unique<ContainerHost>(); }});

INSTANTIATE_TEST_SUITE_P(Containers, Conformance, kContainers, SubjectName);
INSTANTIATE_TEST_SUITE_P(Containers, ProcessConformance, kContainers, SubjectName);
INSTANTIATE_TEST_SUITE_P(Containers, LimitConformance, kContainers, SubjectName);

}  // namespace
}  // namespace yard::engine::testing
