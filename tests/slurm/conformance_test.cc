// The suite of all engines, on a real Slurm.
#include "tests/slurm/slurm_host.h"

namespace yard::engine::testing {
namespace {

// The same cluster behind a login node.
class LoginHost final : public SlurmHost {
 protected:
  std::unique_ptr<slurm::Site> MakeSite() const override {
    return slurm::MakeSshSite(LoginOptions(root()));
  }
};

const auto kSites =
    ::testing::Values(Subject{"commands", [] { return std::make_unique<SlurmHost>(); }},
                      Subject{"ssh", [] { return std::make_unique<LoginHost>(); }});

INSTANTIATE_TEST_SUITE_P(Slurm, Conformance, kSites, SubjectName);
INSTANTIATE_TEST_SUITE_P(Slurm, ProcessConformance, kSites, SubjectName);
INSTANTIATE_TEST_SUITE_P(Slurm, LimitConformance, kSites, SubjectName);

}  // namespace
}  // namespace yard::engine::testing
