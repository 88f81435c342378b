"""Data loader workers (fork) and a spawned process that uses the GPU too."""
import faulthandler
import sys

import torch
import torch.multiprocessing as mp


class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return torch.full((1000,), float(index))


def child(queue):
    queue.put(float(torch.ones(1000, device="cuda").sum()))


def say(what):
    print(what, file=sys.stderr, flush=True)


def main():
    faulthandler.dump_traceback_later(30, exit=True)  # says where it hangs, if it does
    base = torch.zeros(1000, device="cuda")
    say("context made")
    for batch in torch.utils.data.DataLoader(Numbers(), batch_size=8, num_workers=4, timeout=15):
        base += batch.to("cuda").sum(0)
    say("data loaded")
    context = mp.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=child, args=(queue,), daemon=True)
    process.start()
    answer = queue.get(timeout=20)
    say("spawned process answered")
    process.join(10)
    print("right" if answer == 1000 and float(base[0]) == sum(range(64)) else "wrong")


if __name__ == "__main__":
    main()
