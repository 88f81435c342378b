// U9: the list of what we answer is complete, and the library is what it claims to be.
#include <cstdio>
#include <regex>
#include <set>

#include "slice/test/harness.h"

namespace yard::slice {
namespace {

const std::set<std::string> kNames = {
#define X(name) #name,
#include "slice/cuda/cuda_names.inc"
#undef X
};

const std::set<std::string> kWrapped = {
#define W(name, fn, when) #name,
#include "slice/cuda/cuda_wraps.inc"
#undef W
};

std::string Output(const std::string& command) {
  std::string text;
  std::FILE* const pipe = popen(command.c_str(), "r");
  char part[4096];
  while (const std::size_t got = std::fread(part, 1, sizeof(part), pipe)) text.append(part, got);
  return pclose(pipe) == 0 ? text : "";
}

std::set<std::string> Symbols(const std::string& options, const std::string& file) {
  const std::string text = Output("nm -D " + options + " " + file);
  std::set<std::string> found;
  const std::regex name(R"(([A-Za-z_][A-Za-z0-9_]*)(@\S*)?\n)");
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at)
    found.insert((*at)[1]);
  return found;
}

TEST(Symbols, EveryNameThatTakesOrShowsDeviceMemoryIsAnswered) {
  const std::regex counted(
      "cu(MemAlloc|MemFree|MemCreate|MemRelease|MemMap$|MemUnmap|ArrayCreate|Array3DCreate|"
      "ArrayDestroy|MipmappedArray(Create|Destroy)|MemPool(Create|Destroy|TrimTo)|CtxCreate|"
      "CtxDestroy|GraphLaunch|GraphUpload|Launch|DeviceTotalMem|MemGetInfo|GetProcAddress).*");
  // Host memory, host functions and plain queries: nothing of the device is taken.
  const std::set<std::string> left = {
      "cuMemAllocHost",        "cuMemAllocHost_v2",   "cuMemFreeHost",           "cuLaunchHostFunc",
      "cuLaunchHostFunc_ptsz", "cuLaunchHostFunc_v2", "cuLaunchHostFunc_v2_ptsz"};
  for (const std::string& name : kNames) {
    if (!std::regex_match(name, counted) || left.contains(name)) continue;
    EXPECT_TRUE(kWrapped.contains(name)) << name;
  }
}

TEST(Symbols, EveryWrappedNameIsExported) {
  const auto exported = Symbols("--defined-only", BuildPath("../../slice/libcuda.so.1"));
  for (const std::string& name : kNames) EXPECT_TRUE(exported.contains(name)) << name;
  for (const std::string& name : kWrapped) EXPECT_TRUE(exported.contains(name)) << name;
  for (const std::string& name : exported) EXPECT_TRUE(name.starts_with("cu")) << name;
}

// nvidia-smi asks for the first and calls itself mismatched without it; debuggers call the others.
TEST(Symbols, PrivateFunctionsOfTheDriverAreForwardedButNotItsVariables) {
  EXPECT_TRUE(Symbols("--defined-only", BuildPath("../../slice/libnvidia-ml.so.1"))
                  .contains("nvmlInternalGetExportTable"));
  const auto exported = Symbols("--defined-only", BuildPath("../../slice/libcuda.so.1"));
  for (const char* const name : {"cuGetExportTable", "cudbgApiInit", "cudbgGetAPI"})
    EXPECT_TRUE(exported.contains(name)) << name;
  for (const char* const name : {"cudbgIpcFlag", "cudbgSessionId", "cudbgRpcEnabled"})
    EXPECT_FALSE(exported.contains(name)) << name;
}

TEST(Symbols, NothingTheFakeDriverExportsIsUnknown) {
  for (const std::string& name : Symbols("--defined-only", BuildPath("test/fake/libcuda.so.1")))
    EXPECT_TRUE(kNames.contains(name) || name.starts_with("_Z")) << name;
}

class Library : public testing::TestWithParam<const char*> {};

TEST_P(Library, HasNoConstructorsAndNeedsOnlyLibc) {
  const std::string file = BuildPath(GetParam());
  const std::string sections = Output("readelf -SW " + file);
  ASSERT_FALSE(sections.empty());
  for (const char* const section : {".init_array", ".ctors", ".preinit_array", ".tdata", ".tbss"})
    EXPECT_EQ(sections.find(section), std::string::npos) << section;
  const std::string dynamic = Output("readelf -dW " + file);
  EXPECT_NE(dynamic.find("libc.so.6"), std::string::npos);
  EXPECT_EQ(dynamic.find("libstdc++"), std::string::npos);
}

TEST_P(Library, TouchesNoGlobalStateOfItsHost) {
  const auto wanted = Symbols("--undefined-only", BuildPath(GetParam()));
  for (const char* const name : {"exit", "_exit", "abort", "signal", "sigaction", "umask", "printf",
                                 "puts", "fprintf", "setenv", "putenv", "getenv", "malloc", "free"})
    EXPECT_FALSE(wanted.contains(name)) << name;
}

INSTANTIATE_TEST_SUITE_P(Each, Library,
                         testing::Values("../../slice/libcuda.so.1",
                                         "../../slice/libnvidia-ml.so.1",
                                         "../../slice/libgpuyard-vulkan.so.1"),
                         [](const auto& file) {
                           const std::string path = file.param;
                           return path.find("vulkan") != std::string::npos   ? "Layer"
                                  : path.find("nvidia") != std::string::npos ? "Management"
                                                                             : "Driver";
                         });

TEST(Symbols, TheLayerExportsNothingButItsBeginning) {
  EXPECT_EQ(Symbols("--defined-only", BuildPath("../../slice/libgpuyard-vulkan.so.1")),
            std::set<std::string>{"vkNegotiateLoaderLayerInterfaceVersion"});
}

}  // namespace
}  // namespace yard::slice
