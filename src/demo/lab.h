// The people, units, quotas and assets of the demo, as constants, and how they are put in place.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "control/service.h"

namespace yard::demo {

inline constexpr std::string_view kMessage =
    "This is a demo: the nodes and their GPUs are simulated, the people and all figures of use "
    "invented, and no program is really run.";

inline constexpr std::string_view kSignInNote =
    "This is a demo. Sign in as lena@lab.example (researcher), mara@lab.example (department "
    "administrator), guest@lab.example (viewer) or admin@gpuyard.local; the terminal of gpuyard "
    "demo shows the password.";

struct Person {
  std::string_view email;
  std::string_view role;
  std::string_view department;  // where the role holds; empty: see project
  std::string_view project;     // empty, too: everywhere
};
std::span<const Person> People();

// Everything but nodes and work, through the same commands that people use. All accounts get the
// same password; quotas are `scale` times those of a lab with the usual nodes.
Status MakeLab(control::Service& service, const std::string& password_hash, std::int64_t scale);

// GPUs kept for a deadline; the nodes have to be there.
Status ReserveGpus(control::Service& service, Time now);

// The one who may do everything in the demo.
control::Principal Administrator();
// A person of the lab, as the server knows them after they signed in.
control::Principal PrincipalOf(const control::State& state, std::string_view email);

}  // namespace yard::demo
