// The last lines of a task's log, and the line among them that says what went wrong.
import { queryOptions } from '@tanstack/react-query';
import { open } from '@/api/client';
import { LineFolder } from '@/lib/fold';
import { logPath, logQuery, type LogChoice } from '@/pages/workload/log-source';

/** Lines to look for the cause in; fewer are shown. */
const READ = 200;

// Colours and other orders to a terminal.
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]/g;

function linesOf(text: string): string[] {
  const folder = new LineFolder();
  return [...folder.push(text), folder.open]
    .map((line) => line.replace(ESCAPES, ''))
    .filter((line, index, all) => line.trim() !== '' || (index > 0 && (all[index - 1] ?? '').trim() !== ''));
}

export const logTail = (choice: LogChoice) =>
  queryOptions({
    queryKey: ['log', 'tail', choice],
    queryFn: async ({ signal }) => {
      const response = await open('GET', logPath(choice), { query: { ...logQuery(choice), tail: READ }, signal });
      return linesOf(await response.text());
    },
    retry: false,
  });

// "ValueError: …", "torch.cuda.OutOfMemoryError: …", "java.lang.RuntimeException: …".
const RAISED = /^(?:\[rank\d+\]: ?)?((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Warning|Fault)(?:: .*)?)$/;
const SAID = /^(?:.*?\b)?((?:fatal|error|panic|abort(?:ed)?|segmentation fault|killed|cannot|command not found|no such file)\b.*)$/i;

/** The exception that ended it: of the last traceback, else the last line that names an error. */
export function causeIn(lines: string[]): string | null {
  const last = (match: (line: string) => string | null) => lines.reduceRight<string | null>((found, line) => found ?? match(line), null);
  const raised = last((line) => RAISED.exec(line.trim())?.[1] ?? null);
  return raised ?? last((line) => (SAID.test(line.trim()) ? line.trim() : null));
}
