// tune_bench serve | speed SAMPLER SPACE TRIALS ROUNDS
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "bench/tune/serve.h"
#include "bench/tune/speed.h"

int main(int argc, char** argv) {
  std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "serve") return yard::bench::Serve();
  if (verb == "speed" && argc == 6) {
    return yard::bench::Speed(argv[2], argv[3], std::atoi(argv[4]), std::atoi(argv[5]));
  }
  std::fputs("usage: tune_bench serve | speed SAMPLER f10|mix TRIALS ROUNDS\n", stderr);
  return 2;
}
