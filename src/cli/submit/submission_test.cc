#include "cli/submit/submission.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/submit/resources.h"
#include "cli/submit/slurm.h"

namespace yard::cli {
namespace {

const Destination kLab{"7", "c0ffee00-0000-4000-8000-000000000000"};

json::value BodyOf(const Submission& submission) {
  Result<std::vector<Draft>> drafts = DraftsOf(submission, kLab, "array-1");
  EXPECT_TRUE(drafts) << drafts.error().message;
  return *ParseJson(drafts->at(0).body);
}

Submission Running(std::vector<std::string> command) {
  Submission submission;
  submission.command = std::move(command);
  return submission;
}

TEST(Submission, BecomesTheBodyTheApiTakes) {
  Submission work = Running({"python", "train.py", "--note", "two words"});
  ASSERT_TRUE(SetGpus(work.spec, "0.5"));
  ASSERT_TRUE(SetMemory(work.spec, "16G"));
  work.spec.SetVariable("EPOCHS", "1");
  work.spec.SetVariable("EPOCHS", "2");
  json::value body = BodyOf(work);
  EXPECT_EQ(TextAt(body, "name"), "train");
  EXPECT_EQ(TextAt(body, "projectId"), "7");
  EXPECT_EQ(TextAt(body, "spec.command"), "python train.py --note 'two words'");
  EXPECT_EQ(TextAt(body, "spec.compute.gpuDevicesRequest"), "1");
  EXPECT_EQ(TextAt(body, "spec.compute.gpuPortionRequest"), "0.5");
  EXPECT_EQ(TextAt(body, "spec.compute.cpuMemoryRequest"), "16G");
  ASSERT_EQ(At(body, "spec.environmentVariables").as_array().size(), 1U);
  EXPECT_EQ(TextAt(At(body, "spec.environmentVariables").at(0), "value"), "2");
}

TEST(Submission, AnArrayIsOneRequestPerIndex) {
  Submission work = Running({"./job"});
  work.name = "sweep";
  work.array = *ParseIndices("3,5%1");
  Result<std::vector<Draft>> drafts = DraftsOf(work, kLab, "array-1");
  ASSERT_EQ(drafts->size(), 2U);
  EXPECT_EQ(drafts->at(1).name, "sweep-5");
  json::value body = *ParseJson(drafts->at(1).body);
  EXPECT_EQ(TextAt(body, "spec.array.id"), "array-1");
  EXPECT_EQ(TextAt(body, "spec.array.index"), "5");
  EXPECT_EQ(TextAt(body, "spec.array.size"), "2");
  EXPECT_EQ(TextAt(body, "spec.array.throttle"), "1");
}

TEST(Submission, OfAnArrayThatWasCutShortTheRestIsNamed) {
  Submission work = Running({"./job"});
  work.name = "sweep";
  work.array = *ParseIndices("0-4,9%2");
  Result<std::vector<Draft>> drafts = DraftsOf(work, kLab, "array-1");
  EXPECT_EQ(PartlySent(work, *drafts, 2),
            "2 of 6 items were submitted and stay: sweep-0 to sweep-1\n"
            "  the rest was not: the same command with --array 2-4,9%2 submits it\n"
            "  `gpuyard cancel sweep` takes back what was submitted");
  Submission grid = Running({"train", "{lr}"});
  grid.grid = {*ParseParameter("lr=0.1,0.2,0.3")};
  std::string said = PartlySent(grid, *DraftsOf(grid, kLab, "array-1"), 1);
  EXPECT_NE(said.find("submitted and stay: train-0\n"), std::string::npos) << said;
  EXPECT_NE(said.find("the rest was not: lr=0.2 and what follows"), std::string::npos) << said;
}

TEST(Submission, AGridIsEveryCombinationFilledIn) {
  Submission work = Running({"train", "--lr", "{lr}", "--bs={bs}"});
  work.grid = {*ParseParameter("lr=0.1,0.2"), *ParseParameter("bs=16,32")};
  Result<std::vector<Draft>> drafts = DraftsOf(work, kLab, "array-1");
  ASSERT_EQ(drafts->size(), 4U);
  EXPECT_EQ(drafts->at(2).title, "lr=0.2 bs=16");
  EXPECT_EQ(TextAt(*ParseJson(drafts->at(2).body), "spec.command"), "train --lr 0.2 --bs=16");
}

TEST(Submission, WhatDoesNotBelongTogetherIsRefused) {
  Submission both = Running({"x"});
  both.array = *ParseIndices("0-1");
  both.grid = {*ParseParameter("a=1")};
  EXPECT_FALSE(Check(both));
  EXPECT_FALSE(Check(Submission{})) << "nothing to run";
  Submission args;
  args.args = {"x"};
  EXPECT_FALSE(Check(args)) << "no entry point takes them";
}

TEST(Submission, TheMasterHasWhatTheWorkersHaveAndItsOwn) {
  Submission work = Running({"torchrun", "train.py"});
  work.kind = WorkKind::kDistributed;
  work.spec.Set("numWorkers", std::int64_t{2});
  EXPECT_EQ(TextAt(BodyOf(work), "masterSpecSameAsWorker"), "true");
  work.master.Set("compute.gpuDevicesRequest", std::int64_t{0});
  json::value body = BodyOf(work);
  EXPECT_EQ(TextAt(body, "masterSpecSameAsWorker"), "false");
  EXPECT_EQ(TextAt(body, "masterSpec.command"), "torchrun train.py");
  EXPECT_TRUE(At(body, "masterSpec.numWorkers").is_null());
}

TEST(Submission, NamesAreMadeFromWhatRuns) {
  EXPECT_EQ(NameFor(Running({"python3", "-u", "/a/Train_Net.py"})), "train-net");
  EXPECT_EQ(NameFor(Running({"/bin/echo"})), "echo");
  EXPECT_EQ(NameFor(Running({"7zip"})), "job-7zip");
  EXPECT_EQ(NameFor(Submission{}), "job");
}

TEST(Script, DirectivesAreReadUntilTheFirstCommand) {
  Result<Script> script = ReadDirectives(
      "#!/bin/bash\n#SBATCH -J sweep --time=2:00:00\n#SBATCH --gres=gpu:2  # two\n"
      "#SBATCH -c4\n#SBATCH --mem 8G\n#SBATCH -o out.%j\n\necho hi\n#SBATCH --nonsense\n");
  ASSERT_TRUE(script) << script.error().message;
  EXPECT_EQ(script->submission.name, "sweep");
  json::object spec = script->submission.spec.ToJson();
  EXPECT_EQ(TextAt(spec, "timeLimitSeconds"), "7200");
  EXPECT_EQ(TextAt(spec, "compute.gpuDevicesRequest"), "2");
  EXPECT_EQ(TextAt(spec, "compute.cpuCoreRequest"), "4");
  EXPECT_EQ(script->notes.size(), 1U) << "the output file";
}

TEST(Script, AnUnknownDirectiveIsRefusedWithItsLine) {
  Result<Script> script = ReadDirectives("#!/bin/bash\n#SBATCH --exclusive\n");
  ASSERT_FALSE(script);
  EXPECT_EQ(script.error().message, "line 2: '--exclusive' is not an option that is known");
  EXPECT_FALSE(ReadDirectives("#SBATCH --nodes=4\n"));
  EXPECT_FALSE(ReadDirectives("#SBATCH --time\n"));
}

TEST(Script, TheCommandLineWinsOverTheScript) {
  Submission work = ReadDirectives("#SBATCH -J a\n#SBATCH --export=X=1,Y=1\n")->submission;
  Submission line;
  line.name = "b";
  line.spec.SetVariable("X", "2");
  work.Overlay(line);
  EXPECT_EQ(work.name, "b");
  ASSERT_EQ(work.spec.List("environmentVariables").size(), 2U);
  EXPECT_EQ(work.spec.List("environmentVariables")[1].Text("value"), "2");
}

TEST(Script, AShellScriptTravelsAsTextAndOthersByPath) {
  EXPECT_EQ(CommandForScript("a.sh", "#!/bin/bash\necho", {"x"}),
            (std::vector<std::string>{"/bin/bash", "-c", "#!/bin/bash\necho", "a.sh", "x"}));
  EXPECT_EQ(CommandForScript("./a.py", "#!/usr/bin/env python3\n", {}),
            (std::vector<std::string>{"./a.py"}));
}

TEST(Script, TheFlagsOfItsShellGoAlong) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(CommandForScript("a.sh", "#!/bin/bash -e\nx", {}),
            (Words{"/bin/bash", "-e", "-c", "#!/bin/bash -e\nx", "a.sh"}));
  EXPECT_EQ(CommandForScript("a.sh", "#!/usr/bin/env -S bash -eu -o pipefail\nx", {}),
            (Words{"bash", "-eu", "-o", "pipefail", "-c",
                   "#!/usr/bin/env -S bash -eu -o pipefail\nx", "a.sh"}));
  EXPECT_EQ(CommandForScript("./a.sh", "#!/bin/sh -s\nx", {}), (Words{"./a.sh"}))
      << "what cannot be said before -c is left to the kernel";
}

TEST(Script, UnitsOfMemoryAreSlurms) {
  auto memory = [](std::string_view text) {
    Spec spec = ReadDirectives(fmt::format("#SBATCH --mem={}\n", text))->submission.spec;
    return spec.Text("compute.cpuMemoryRequest");
  };
  EXPECT_EQ(memory("4G"), "4Gi");
  EXPECT_EQ(memory("512K"), "512Ki");
  EXPECT_EQ(memory("1t"), "1Ti");
  EXPECT_EQ(memory("4GB"), "4Gi");
  EXPECT_EQ(memory("2048"), "2048Mi");
}

TEST(Submission, AVariableOfTheShellIsNotFilledIn) {
  Submission work = Running({"sh", "-c", "echo ${lr} {lr} {bs}"});
  work.grid = {*ParseParameter("lr={bs}"), *ParseParameter("bs=16")};
  EXPECT_EQ(TextAt(BodyOf(work), "spec.command"), "sh -c 'echo ${lr} {bs} 16'");
}

TEST(Submission, ASlipInAParameterIsRefusedWithTheKnownOnes) {
  Submission work = Running({"train", "--lr", "{lrr}"});
  work.grid = {*ParseParameter("lr=0.1,0.2"), *ParseParameter("bs=16")};
  Status checked = Check(work);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "'{lrr}' is not a parameter");
  EXPECT_NE(checked.error().details.find("{lr}, {bs}"), std::string::npos);
}

TEST(Submission, BracesOfShellsAndProgramsAreNoParameters) {
  Submission work = Running({"sh", "-c", "echo ${HOME} {lr} | awk '{print $1}'; x='{}'"});
  work.grid = {*ParseParameter("lr=0.1,0.2")};
  EXPECT_TRUE(Check(work));
}

TEST(Names, ATakenNameOfASingleOneIsNumberedByTheServer) {
  Submission work = Running({"true"});
  work.naming = Naming::kNumber;
  EXPECT_EQ(TextAt(BodyOf(work), "numberNameIfTaken"), "true");
  work.array = *ParseIndices("0-1");
  EXPECT_EQ(TextAt(BodyOf(work), "numberNameIfTaken"), "");
}

TEST(Names, AnArrayTakesANameThatNoItemBeginsWith) {
  EXPECT_EQ(FreeArrayName("sweep", {"sweeper", "sweep-eval"}), "sweep");
  EXPECT_EQ(FreeArrayName("sweep", {"sweep"}), "sweep-2");
  EXPECT_EQ(FreeArrayName("sweep", {"sweep-0", "sweep-1", "sweep-2"}), "sweep-3");
  EXPECT_EQ(FreeArrayName("sweep", {"sweep-0", "sweep-2-0"}), "sweep-3");
}

TEST(Names, WhatTheApiWouldRefuseIsMadeALabel) {
  EXPECT_TRUE(IsLabel("train-2"));
  EXPECT_FALSE(IsLabel("My_Job"));
  EXPECT_FALSE(IsLabel("2fast"));
  EXPECT_EQ(LabelOf("My_Job"), "my-job");
}

}  // namespace
}  // namespace yard::cli
