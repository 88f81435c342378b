#include "slice/cuda/pool_book.h"

#include <sched.h>

#include "slice/cuda/cuda_real.h"
#include "slice/cuda/device.h"
#include "slice/cuda/ledger.h"
#include "slice/cuda/pool.h"

namespace yard::slice::cuda {
namespace {

constexpr std::uint64_t kChunk = 32ULL << 20;  // what a pool usually grows by
// Other processes of the slice may be as unsure at the same moment.
constexpr std::uint64_t kUnsurePart = 16;

std::uint64_t Key(Handle handle) {
  return reinterpret_cast<std::uint64_t>(handle);
}

bool Is(const Pool& pool, std::uint64_t key) {
  return pool.handle == key && !pool.leaving;
}

// Most allocations are of the pool of the one before. Caller holds the lock.
int FindLocked(Process& process, std::uint64_t key) {
  if (process.pool_count != 0 && Is(process.pools[process.last_pool], key))
    return process.last_pool;
  for (int i = 0; i < process.pool_count; ++i)
    if (Is(process.pools[i], key)) return process.last_pool = i;
  return -1;
}

// A pool that others cannot destroy while we name it to the driver.
class PoolUse {
 public:
  PoolUse(Process& process, int number) : process_(process), pool_(process.pools[number]) {
    Locked hold(process.pool_lock);
    gpu = pool_.gpu;
    if (pool_.handle == 0 || pool_.leaving || gpu < 0) return;
    handle = reinterpret_cast<Handle>(pool_.handle);
    changes = pool_.changes;
    pool_.users++;
  }
  ~PoolUse() {
    if (handle == nullptr) return;
    Locked hold(process_.pool_lock);
    pool_.users--;
  }
  PoolUse(const PoolUse&) = delete;
  PoolUse& operator=(const PoolUse&) = delete;

  Handle handle = nullptr;  // null: there is no such pool, or it is not ours to count
  int gpu = -1;
  unsigned changes = 0;  // as they were

 private:
  Process& process_;
  Pool& pool_;
};

// A pool nobody created here is some device's own.
int AdoptPool(Process& process, Handle handle) {
  for (Device device = 0; device < kMaxDevices; ++device) {
    Handle own = nullptr;
    if (Call(k_cuDeviceGetDefaultMemPool, &own, device) != kOk) break;
    if (own != handle) continue;
    return AddPool(
        process,
        {.handle = Key(handle), .gpu = GpuOfDevice(process, device), .spills = HasOneGpu(process)});
  }
  return AddPool(process, {.handle = Key(handle), .gpu = -1});
}

// The most that an allocation can make a pool grow by.
std::uint64_t MostGrowth(std::uint64_t bytes) {
  return RoundUp(bytes, kChunk);
}

// What the allocation probably makes the pool grow by, for which there is no memory in it yet.
// Caller holds the lock.
std::uint64_t LikelyGrowth(const Pool& pool, std::uint64_t bytes) {
  const std::uint64_t wanted = pool.live + RoundUp(bytes, 512);
  return wanted > pool.charged ? wanted - pool.charged : 0;
}

// Begins the flight and says what to reserve for it. What the program has freed before, the driver
// has for it again; what is left over at the ends of chunks it has not. Caller holds the lock.
std::uint64_t Depart(Pool& pool, std::uint64_t bytes, std::uint64_t room) {
  const std::uint64_t most = MostGrowth(bytes), likely = LikelyGrowth(pool, bytes);
  const bool returns = likely == 0 && pool.loose >= bytes;
  pool.in_flight++;
  pool.changes++;
  pool.loose -= bytes < pool.loose ? bytes : pool.loose;
  if (!returns && pool.unsure + most > room / kUnsurePart) return most;
  const std::uint64_t growth = RoundUp(likely, kChunk);
  pool.unsure += most - growth;
  return growth;
}

// First the books are brought up to date. A pool that cannot spill gets the least it may need
// before it is refused.
Growth ReserveFlight(Process& process, int number, std::uint64_t bytes, std::uint64_t growth) {
  Pool& pool = process.pools[number];
  SettlePool(process, number);
  bool ok = ReserveOrTrim(process, pool.gpu, growth);
  if (!ok && !pool.spills) {
    {
      Locked hold(process.pool_lock);
      growth = RoundUp(LikelyGrowth(pool, bytes), kGranule);
    }
    ok = growth == 0 || Reserve(process, pool.gpu, growth);
  }
  Locked hold(process.pool_lock);
  if (ok) pool.charged += growth;
  if (!ok) pool.in_flight--;
  return ok ? Growth::kReserved : Growth::kRefused;
}

}  // namespace

int FindPool(Process& process, Handle pool) {
  Locked hold(process.pool_lock);
  return FindLocked(process, Key(pool));
}

int AddPool(Process& process, const Pool& pool) {
  Locked hold(process.pool_lock);
  const int count = process.pool_count;
  int at = count;
  for (int i = 0; i < count; ++i) {
    const Pool& other = process.pools[i];
    if (Is(other, pool.handle)) return i;
    if (other.handle == 0 && other.live == 0 && at == count) at = i;
  }
  if (at == kMaxPools) return -1;
  process.pools[at] = pool;
  if (at == count) process.pool_count = count + 1;
  return at;
}

bool HasOneGpu(const Process& process) {
  return Attached(process) && process.region->gpu_count == 1;
}

bool SettlePool(Process& process, int number) {
  Pool& pool = process.pools[number];
  const PoolUse use(process, number);
  std::uint64_t reserved = 0;
  if (use.handle == nullptr || Call(k_cuMemPoolGetAttribute, use.handle, kPoolReservedCurrent,
                                    static_cast<void*>(&reserved)) != kOk)
    return false;
  std::uint64_t before = 0, after = 0;
  {
    Locked hold(process.pool_lock);
    before = after = pool.charged;
    const bool is_new = pool.in_flight == 0 && pool.changes == use.changes;
    if (reserved > before || is_new) after = reserved;
    if (is_new) pool.unsure = 0;
    const std::uint64_t room = after > pool.live ? after - pool.live : 0;
    if (pool.loose > room) pool.loose = room;
    pool.charged = after;
  }
  Settle(process, use.gpu, before, after);
  return after > before;
}

void TrimPool(Process& process, int number, int gpu) {
  const PoolUse use(process, number);
  if (use.handle != nullptr && use.gpu == gpu) Call(k_cuMemPoolTrimTo, use.handle, std::size_t{0});
}

Flight BeginFlight(Process& process, Handle handle, std::uint64_t bytes) {
  Flight flight;
  for (bool asked = false;; asked = true) {
    std::uint64_t growth = 0;
    {
      Locked hold(process.pool_lock);
      flight.number = handle == nullptr ? -1 : FindLocked(process, Key(handle));
      if (flight.number >= 0) {
        Pool& pool = process.pools[flight.number];
        if (pool.gpu < 0) return {};
        growth = Depart(pool, bytes, RoomLeft(process, pool.gpu));
      }
    }
    if (flight.number >= 0) {
      if (growth != 0) flight.growth = ReserveFlight(process, flight.number, bytes, growth);
      return flight;
    }
    if (asked || handle == nullptr || AdoptPool(process, handle) < 0) return {};
  }
}

bool EndFlight(Process& process, const Flight& flight, std::uint64_t bytes) {
  constexpr unsigned kSeldom = 128;  // an allocation is two changes
  Pool& pool = process.pools[flight.number];
  Locked hold(process.pool_lock);
  pool.in_flight--;
  pool.changes++;
  pool.live += bytes;
  return flight.growth == Growth::kReserved || pool.changes % kSeldom < 2 ||
         pool.unsure > RoomLeft(process, pool.gpu) / kUnsurePart;
}

void TakeLive(Process& process, int number, std::uint64_t bytes) {
  Pool& pool = process.pools[number];
  std::uint64_t rest = 0;
  const int gpu = pool.gpu;
  {
    Locked hold(process.pool_lock);
    pool.live -= bytes < pool.live ? bytes : pool.live;
    pool.loose += bytes;
    if (pool.handle == 0 && pool.live == 0) {
      rest = pool.charged;
      pool.charged = 0;
    }
  }
  Release(process, gpu, rest);
}

void BeginLeaving(Process& process, int number) {
  for (;; sched_yield()) {
    Locked hold(process.pool_lock);
    process.pools[number].leaving = true;
    if (process.pools[number].users == 0) return;
  }
}

void EndLeaving(Process& process, int number, Result result) {
  Pool& gone = process.pools[number];
  const int gpu = gone.gpu;
  std::uint64_t rest = 0;
  {
    Locked hold(process.pool_lock);
    gone.leaving = false;
    if (result == kOk) gone.handle = 0;
    if (result == kOk && gone.live == 0) {
      rest = gone.charged;
      gone.charged = 0;
    }
  }
  Release(process, gpu, rest);
}

// Asked of the driver once where a program sees one device only; else each time, since each thread
// may be on another one.
Handle CurrentPool(Process& process) {
  const std::uint64_t known = process.current_pool.load(std::memory_order_relaxed);
  if (known != 0) return reinterpret_cast<Handle>(known);
  unsigned before = 0;
  {
    Locked hold(process.pool_lock);
    before = process.current_changes;
  }
  Device device = 0;
  Handle pool = nullptr;
  int devices = 0;
  if (!CurrentDevice(&device) || Call(k_cuDeviceGetMemPool, &pool, device) != kOk) return nullptr;
  if (Call(k_cuDeviceGetCount, &devices) != kOk || devices != 1) return pool;
  Locked hold(process.pool_lock);
  if (process.current_changes == before) process.current_pool.store(Key(pool));
  return pool;
}

void ForgetCurrentPool(Process& process) {
  Locked hold(process.pool_lock);
  process.current_changes++;
  process.current_pool.store(0);
}

}  // namespace yard::slice::cuda
