import { describe, expect, it } from 'vitest';
import { causeIn } from '@/pages/workload/log-tail';

describe('the cause of a failure', () => {
  it('is the exception of the last traceback', () => {
    const lines = ['epoch 1', 'Traceback (most recent call last):', '  File "train.py", line 3, in <module>', "FileNotFoundError: [Errno 2] No such file or directory: '/data/labels/train.json'"];
    expect(causeIn(lines)).toBe("FileNotFoundError: [Errno 2] No such file or directory: '/data/labels/train.json'");
  });

  it('is found with its module and behind the mark of a rank', () => {
    expect(causeIn(['[rank3]: torch.cuda.OutOfMemoryError: CUDA out of memory.', 'cleaning up'])).toBe('torch.cuda.OutOfMemoryError: CUDA out of memory.');
  });

  it('is the last line that speaks of an error where nothing was raised', () => {
    expect(causeIn(['loading', 'sh: 1: trian.py: command not found', 'bye'])).toBe('sh: 1: trian.py: command not found');
  });

  it('is not invented', () => {
    expect(causeIn(['epoch 1', 'errors: 0 of 12'.replace('errors', 'loss'), 'done'])).toBeNull();
  });
});
