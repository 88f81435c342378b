// The pieces that every demo shows, whatever the stream brings.
#include <array>

#include "demo/work.h"

namespace yard::demo {
namespace {

using enum WorkloadType;

constexpr std::array kPieces = {
    Piece{4000, "noor@lab.example", "serving", kInference, "chat-8b",
          R"({"image":"vllm/vllm-openai:v0.6.4","command":"vllm serve llama-8b",
"compute":{"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":1,
"cpuCoreRequest":8,"cpuMemoryRequest":"64G"},"nodePools":["h100"],
"environmentVariables":[{"name":"SIM_SCRIPT","value":
"echo [simulated node] vllm serve llama-8b; repeat 9000; sleep 300; echo served $i x 5 min; done"}]
})"},
    Piece{3600, "noor@lab.example", "serving", kInference, "sentiment",
          R"({"image":"vllm/vllm-openai:v0.6.4","command":"serve sentiment",
"compute":{"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":0.3,
"cpuCoreRequest":2,"cpuMemoryRequest":"8G"},"nodePools":["h100"],
"environmentVariables":[{"name":"SIM_SCRIPT","value":
"echo [simulated node] ready on port 8000; sleep 31536000"}]})"},
    Piece{1500, "jonas@lab.example", "vision", kWorkspace, "jonas-notebook",
          R"({"image":"quay.io/jupyter/pytorch-notebook:cuda12",
"compute":{"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":0.25,
"cpuCoreRequest":2,"cpuMemoryRequest":"16G"}})"},
    Piece{700, "lena@lab.example", "language", kWorkspace, "lena-notebook",
          R"({"image":"quay.io/jupyter/pytorch-notebook:cuda12",
"compute":{"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":1,
"cpuCoreRequest":4,"cpuMemoryRequest":"32G"}})"},
    Piece{420, "tomas@lab.example", "language", kDistributed, "pretrain-13b",
          R"({"image":"pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime",
"command":"torchrun train.py --model 13b","distributedFramework":"PyTorch","numWorkers":3,
"priorityClass":"train",
"compute":{"gpuDevicesRequest":4,"gpuRequestType":"portion","gpuPortionRequest":1,
"cpuCoreRequest":32,"cpuMemoryRequest":"256G"},"nodePools":["h100"],
"retry":{"limit":3,"on":["NodeLost"]},
"environmentVariables":[{"name":"SIM_SCRIPT","value":
"echo [simulated node] torchrun train.py; repeat 400; sleep 180; echo step $i of 400; done"}]})"},
    Piece{410, "tomas@lab.example", "language", kTraining, "evaluate-13b",
          R"({"image":"pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime",
"command":"python evaluate.py --model 13b","dependsOn":[{"workload":"pretrain-13b",
"condition":"ok"}],"compute":{"gpuDevicesRequest":1,"gpuRequestType":"portion",
"gpuPortionRequest":1,"cpuCoreRequest":8,"cpuMemoryRequest":"64G"}})"},
    Piece{95, "lena@lab.example", "language", kDistributed, "finetune-70b",
          R"({"image":"pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime",
"command":"torchrun finetune.py --model 70b","distributedFramework":"PyTorch","numWorkers":4,
"compute":{"gpuDevicesRequest":8,"gpuRequestType":"portion","gpuPortionRequest":1,
"cpuCoreRequest":64,"cpuMemoryRequest":"512G"},"nodePools":["a100"]})"},
    Piece{60, "aiko@lab.example", "vision", kTraining, "twelve-gpus",
          R"({"image":"pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime",
"command":"torchrun --nproc-per-node 12 train.py",
"compute":{"gpuDevicesRequest":12,"gpuRequestType":"portion","gpuPortionRequest":1,
"cpuCoreRequest":32,"cpuMemoryRequest":"128G"}})"},
    Piece{45, "ines@lab.example", "theses", kTraining, "final-run",
          R"({"image":"pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime",
"command":"python gan.py --final","hold":true,
"compute":{"gpuDevicesRequest":2,"gpuRequestType":"portion","gpuPortionRequest":1,
"cpuCoreRequest":16,"cpuMemoryRequest":"64G"},"nodePools":["a100"]})"},
    Piece{30, "paul@lab.example", "course-ml", kTraining, "class-project",
          R"({"image":"pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime",
"command":"python project.py","compute":{"gpuDevicesRequest":4,"gpuRequestType":"portion",
"gpuPortionRequest":1,"cpuCoreRequest":8,"cpuMemoryRequest":"32G"}})"},
    Piece{25, "paul@lab.example", "course-ml", kTraining, "class-project-2",
          R"({"image":"pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime",
"command":"python project.py","compute":{"gpuDevicesRequest":4,"gpuRequestType":"portion",
"gpuPortionRequest":1,"cpuCoreRequest":8,"cpuMemoryRequest":"32G"}})"},
};

}  // namespace

std::span<const Piece> Pieces() {
  return kPieces;
}

}  // namespace yard::demo
