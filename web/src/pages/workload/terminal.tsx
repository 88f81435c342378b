import { FitAddon } from '@xterm/addon-fit';
import { Terminal as Xterm } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { Maximize2, SquareTerminal } from '@/ui/icons';
import { useEffect, useRef, useState } from 'react';
import { CHANNEL, control as controlFrame, frame, openSocket } from '@/api/exec';
import type { WorkloadDetails } from '@/api/queries';
import { refreshIfOver } from '@/api/session';
import { useNoEntry } from '@/pages/workload/enter';
import { RankChoice } from '@/pages/workload/file-outputs';
import { styleSafeDocument } from '@/pages/workload/style-safe';
import { isRunning } from '@/pages/workloads/kinds';
import { Button } from '@/ui/button';
import { Card } from '@/ui/page';
import { Empty, Notice } from '@/ui/state';

function connect(id: string, rank: number, term: Xterm): WebSocket {
  const command = ['sh', '-c', 'exec "${SHELL:-$(command -v bash || echo sh)}"'];
  return openSocket(`/api/v1/workloads/${id}/exec`, { command, tty: true, rows: term.rows, columns: term.cols, rank });
}

interface Ends {
  onEnd: (text: string) => void;
  onOpen: () => void;
}

function attach(socket: WebSocket, term: Xterm, { onEnd, onOpen }: Ends): () => void {
  const encoder = new TextEncoder();
  const control = (message: unknown) => socket.readyState === WebSocket.OPEN && socket.send(controlFrame(message));
  let opened = false;
  let ended = false;
  socket.onopen = () => {
    opened = true;
    onOpen();
  };
  socket.onmessage = (event: MessageEvent<ArrayBuffer>) => {
    const bytes = new Uint8Array(event.data);
    const rest = bytes.subarray(1);
    if (bytes[0] !== CHANNEL.control) return term.write(rest);
    const message = JSON.parse(new TextDecoder().decode(rest)) as { exit?: number; error?: string };
    ended = true;
    onEnd(message.error ?? `The shell ended with code ${message.exit ?? 0}.`);
  };
  socket.onclose = () => {
    if (!ended) onEnd(opened ? 'The connection was closed.' : 'No shell could be opened: the workload does not run, or this server does not offer terminals yet.');
  };
  const typed = term.onData((text) => socket.readyState === WebSocket.OPEN && socket.send(frame(CHANNEL.input, encoder.encode(text))));
  const sized = term.onResize(({ rows, cols }) => control({ resize: { rows, columns: cols } }));
  return () => {
    typed.dispose();
    sized.dispose();
    socket.onclose = null;
    socket.close();
  };
}

export default function Terminal({ workload }: { workload: WorkloadDetails }) {
  const closed = useNoEntry(workload);
  if (closed && isRunning(workload.phase)) return closed;
  if (isRunning(workload.phase)) return <Shell workload={workload} />;
  return (
    <Card>
      <Empty small title="Not running" icon={<SquareTerminal size={20} />}>
        A shell opens inside running work. Come back when it runs; this page changes by itself.
      </Empty>
    </Card>
  );
}

function Shell({ workload }: { workload: WorkloadDetails }) {
  const box = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState<{ live: boolean; text: string }>({ live: false, text: 'Connecting…' });
  const [round, setRound] = useState(0);
  const [rank, setRank] = useState(0);
  const ranks = workload.requestedPods?.number ?? 1;
  useEffect(() => {
    if (!box.current) return;
    setStatus({ live: false, text: 'Connecting…' });
    const look = getComputedStyle(document.documentElement);
    const color = (name: string) => look.getPropertyValue(name).trim();
    const term = new Xterm({
      fontFamily: color('--mono'),
      fontSize: 13,
      cursorBlink: true,
      scrollback: 5000,
      documentOverride: styleSafeDocument(),
      theme: { background: color('--log-bg'), foreground: color('--ink'), cursor: color('--accent-ink'), cursorAccent: color('--log-bg'), selectionBackground: color('--border-strong') },
    });
    const fit = new FitAddon();
    term.loadAddon(fit);
    term.open(box.current);
    fit.fit();
    const resize = new ResizeObserver(() => fit.fit());
    resize.observe(box.current);
    const onEnd = (text: string) => setStatus({ live: false, text });
    const onOpen = () => {
      setStatus({ live: true, text: '' });
      term.focus();
    };
    let left = false;
    let detach: () => void = () => undefined;
    const begin = () => {
      if (!left) detach = attach(connect(workload.id, rank, term), term, { onEnd, onOpen });
    };
    refreshIfOver().then(begin, () => onEnd('The server cannot be reached.'));
    return () => {
      left = true;
      resize.disconnect();
      detach();
      term.dispose();
    };
  }, [workload.id, rank, round]);
  return (
    <Card
      flush
      title={<span className="small">Shell in {workload.name} <span className="muted">· leaving this tab ends it; work that should stay belongs into tmux or screen</span></span>}
      actions={
        <>
          {ranks > 1 ? <RankChoice ranks={ranks} rank={rank} onChange={setRank} /> : null}
          {status.live ? (
            <Button small icon={<Maximize2 size={13} aria-hidden />} onClick={() => void box.current?.requestFullscreen().catch(() => undefined)}>
              Full screen
            </Button>
          ) : (
            <Button small onClick={() => setRound(round + 1)}>
              Connect again
            </Button>
          )}
        </>
      }
    >
      {status.live ? null : (
        <div className="card-body">
          <Notice>{status.text}</Notice>
        </div>
      )}
      <div ref={box} className="shell-screen" />
    </Card>
  );
}
