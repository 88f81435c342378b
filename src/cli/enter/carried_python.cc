#include "cli/enter/carried_python.h"

#include <unistd.h>

#include <cerrno>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "cli/enter/child.h"
#include "cli/enter/terminal.h"

namespace yard::cli {
namespace {

constexpr std::string_view kStart = R"(
import importlib, importlib.abc, importlib.util, json, sys
code, module = json.loads(sys.argv.pop(1)), sys.argv.pop(1)
class Carried(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    def find_spec(self, name, path=None, target=None):
        if name in code:
            return importlib.util.spec_from_loader(name, self, is_package="." not in name)
    def get_source(self, name):
        return code[name]
    def is_package(self, name):
        return "." not in name
sys.meta_path.insert(0, Carried())
variables = json.loads(sys.stdin.readline())
sys.exit(importlib.import_module(module).main(sys.argv[1:], variables))
)";

// A child that has ended reads no more; its exit code says why.
void WriteLine(int pipe, std::string_view left) {
  while (!left.empty()) {
    const ssize_t count = write(pipe, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    left.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

Result<int> RunCarried(const CarriedPython& what, const std::vector<std::string>& arguments,
                       const boost::json::object& variables) {
  std::vector<std::string> words = what.python;
  words.insert(words.end(),
               {"-c", std::string(kStart), boost::json::serialize(what.code), what.module});
  words.insert(words.end(), arguments.begin(), arguments.end());
  IgnoreBrokenPipes();
  YARD_ASSIGN(Child child, Child::Start(words, ChildPipe::kItsInput));
  WriteLine(child.pipe(), boost::json::serialize(variables) + "\n");
  child.ClosePipe();
  return child.Wait();
}

}  // namespace yard::cli
