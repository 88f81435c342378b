#include "shim/devices.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/text.h"

namespace yard::shim {
namespace {

constexpr int kStepsMax = 3 + 2 + DeviceRules::kGrantedMax * 2 + DeviceRules::kGuardedMax + 4;

// The filter's program. Registers: 1 the context, 2 the kind, 3 major, 4 minor, 0 the answer.
class Program {
 public:
  explicit Program(const DeviceRules& rules) {
    LoadField(BPF_REG_2, offsetof(bpf_cgroup_dev_ctx, access_type));
    Add(BPF_ALU | BPF_AND | BPF_K, BPF_REG_2, 0, 0, kKindMask);
    // Each granted device is two steps, each guarded number one; then comes "yes".
    const int rest = 2 + rules.granted_count * 2 + rules.guarded_count;
    SkipUnless(BPF_REG_2, BPF_DEVCG_DEV_CHAR, rest);
    LoadField(BPF_REG_3, offsetof(bpf_cgroup_dev_ctx, major));
    LoadField(BPF_REG_4, offsetof(bpf_cgroup_dev_ctx, minor));
    for (int i = 0; i < rules.granted_count; ++i) {
      SkipUnless(BPF_REG_3, rules.granted[i].major, 1);
      const int left = (rules.granted_count - i - 1) * 2 + rules.guarded_count;
      SkipIf(BPF_REG_4, rules.granted[i].minor, left);
    }
    for (int i = 0; i < rules.guarded_count; ++i)
      SkipIf(BPF_REG_3, rules.guarded[i], rules.guarded_count - i - 1 + kAnswerSteps);
    Answer(1);
    if (rules.guarded_count > 0) Answer(0);  // the kernel takes no step that cannot be reached
  }

  const bpf_insn* steps() const { return steps_; }
  std::uint32_t size() const { return size_; }

 private:
  static constexpr int kAnswerSteps = 2;
  static constexpr std::int32_t kKindMask = 0xffff;  // the rest says what is wanted of it

  void Add(int code, unsigned to, unsigned from, int offset, std::int32_t value) {
    bpf_insn& step = steps_[size_++];
    step.code = static_cast<std::uint8_t>(code);
    step.dst_reg = to & 0xf;
    step.src_reg = from & 0xf;
    step.off = static_cast<std::int16_t>(offset);
    step.imm = value;
  }
  void LoadField(unsigned into, std::size_t offset) {
    Add(BPF_LDX | BPF_MEM | BPF_W, into, BPF_REG_1, static_cast<int>(offset), 0);
  }
  void SkipIf(unsigned value, std::uint32_t equals, int steps) {
    Add(BPF_JMP32 | BPF_JEQ | BPF_K, value, 0, steps, static_cast<std::int32_t>(equals));
  }
  void SkipUnless(unsigned value, std::uint32_t equals, int steps) {
    Add(BPF_JMP32 | BPF_JNE | BPF_K, value, 0, steps, static_cast<std::int32_t>(equals));
  }
  void Answer(std::int32_t answer) {
    Add(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, answer);
    Add(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
  }

  bpf_insn steps_[kStepsMax] = {};
  std::uint32_t size_ = 0;
};

int Bpf(int command, bpf_attr* what) {
  return static_cast<int>(syscall(SYS_bpf, command, what, sizeof(*what)));
}

int Load(const DeviceRules& rules) {
  const Program program(rules);
  bpf_attr what;
  memset(&what, 0, sizeof(what));
  what.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
  what.insns = reinterpret_cast<std::uint64_t>(program.steps());
  what.insn_cnt = program.size();
  what.license = reinterpret_cast<std::uint64_t>("");
  return Bpf(BPF_PROG_LOAD, &what);
}

// With those that others may have put on groups above or on this one: all must say yes.
int Put(int command, int group, int program) {
  bpf_attr what;
  memset(&what, 0, sizeof(what));
  what.target_fd = static_cast<std::uint32_t>(group);
  what.attach_bpf_fd = static_cast<std::uint32_t>(program);
  what.attach_type = BPF_CGROUP_DEVICE;
  if (command == BPF_PROG_ATTACH) what.attach_flags = BPF_F_ALLOW_MULTI;
  return Bpf(command, &what);
}

bool ParseMajor(const char* text, std::uint32_t* into) {
  const std::int64_t number = ParseNumber(text);
  if (number < 0 || number > UINT32_MAX) return false;
  *into = static_cast<std::uint32_t>(number);
  return true;
}

}  // namespace

void DeviceRules::Guard(const char* major) {
  if (guarded_count < kGuardedMax && ParseMajor(major, &guarded[guarded_count])) {
    ++guarded_count;
  } else {
    broken = true;
  }
}

void DeviceRules::Grant(const char* number) {
  char major[16] = {};
  const std::size_t length = strcspn(number, ":");
  if (number[length] == ':' && length < sizeof(major)) memcpy(major, number, length);
  DeviceNumber* device = &granted[granted_count];
  if (granted_count < kGrantedMax && ParseMajor(major, &device->major) &&
      ParseMajor(number + length + 1, &device->minor)) {
    ++granted_count;
  } else {
    broken = true;
  }
}

Failure FilterDevices(const DeviceRules& rules, const char* path) {
  if (rules.broken) return {"the task's devices cannot be told", "", EINVAL};
  const int group = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int program = group < 0 ? -1 : Load(rules);
  const bool put = program >= 0 && Put(BPF_PROG_ATTACH, group, program) == 0;
  const int error = errno;
  if (program >= 0) close(program);
  if (group >= 0) close(group);
  if (put) return {};
  return {"cannot close GPUs to the task; its control group is", path, error};
}

bool CanFilterDevices(const char* path) {
  const int group = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int program = group < 0 ? -1 : Load({});
  const bool put = program >= 0 && Put(BPF_PROG_ATTACH, group, program) == 0;
  const bool can = put && Put(BPF_PROG_DETACH, group, program) == 0;
  if (program >= 0) close(program);
  if (group >= 0) close(group);
  return can;
}

}  // namespace yard::shim
