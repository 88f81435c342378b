import { Link } from 'react-router-dom';
import type { Node } from '@/api/queries';
import { isolationAbout } from '@/lib/isolation';
import { bytes, percent, trim } from '@/lib/quantity';
import { factsOf, nearOf, type GpuHealth } from '@/pages/nodes/gpu-health';
import { initialsOf, STATES, stateOf, type GpuState, type ShownGpu } from '@/pages/nodes/gpu-state';
import { IsolationBadge } from '@/ui/isolation';
import { Popover } from '@/ui/popover';

const look = (id: GpuState) => STATES.find((s) => s.id === id) ?? STATES[0];

export function Legend() {
  return (
    <ul className="legend" aria-label="What the marks mean">
      {STATES.map((s) => (
        <li key={s.id} title={s.about}>
          <span className={`gpu small-gpu ${s.id}`} aria-hidden>
            {s.mark}
          </span>
          {s.label}
        </li>
      ))}
    </ul>
  );
}

/** Places for GPUs about which nothing is known yet. */
export function PendingSquares({ count }: { count: number }) {
  return (
    <div className="gpus" aria-hidden>
      {Array.from({ length: count }, (_, i) => (
        <span key={i} className="gpu pending" />
      ))}
    </div>
  );
}

export function GpuSquares({ gpus, node }: { gpus: ShownGpu[]; node: Node | undefined }) {
  if (gpus.length === 0) return <span className="small muted">No GPU</span>;
  return (
    <div className="gpus">
      {gpus.map((gpu, index) => (
        <Square key={gpu.uuid} gpu={gpu} index={index} node={node} />
      ))}
    </div>
  );
}

function Square({ gpu, index, node }: { gpu: ShownGpu; index: number; node: Node | undefined }) {
  const state = stateOf(gpu, node);
  const shown = look(state);
  return (
    <Popover
      label={`GPU ${index}`}
      trigger={
        <button type="button" className={`gpu ${state}`} aria-label={`GPU ${index} of ${gpu.node}: ${[shown?.label, ...new Set(gpu.workloads.map((w) => w.userName))].join(', ')}`}>
          {initialsOf(gpu) || shown?.mark || index}
        </button>
      }
    >
      <GpuFacts gpu={gpu} node={node} index={index} state={shown?.label ?? ''} about={shown?.about ?? ''} />
    </Popover>
  );
}

function GpuFacts({ gpu, node, index, state, about }: { gpu: ShownGpu; node: Node | undefined; index: number; state: string; about: string }) {
  return (
    <div className="stack tight small">
      <div>
        <span className="strong">
          GPU {index}, {gpu.model}
        </span>
      </div>
      <div>
        {state}: {about}.
      </div>
      {gpu.fault ? <div className="field-error">{gpu.fault}</div> : null}
      <div className="muted">
        Memory {bytes(gpu.memory)}
        {gpu.used !== null && gpu.used !== undefined ? `, ${bytes(gpu.used)} used` : ''}
        {gpu.busyPercent !== null && gpu.busyPercent !== undefined ? ` · busy ${percent(gpu.busyPercent)}` : ' · use not measured'}
        {node?.simulated ? ' (simulated)' : ''}
      </div>
      {gpu.health ? <Health health={gpu.health} /> : null}
      {gpu.links?.length ? <div className="muted">Other GPUs: {nearOf(gpu.links)}</div> : null}
      {gpu.workloads.map((w) => (
        <div key={w.id} className="row between">
          <Link className="clip" to={`/workloads/${w.id}`}>
            {w.name}
            {w.part < 1 ? ` (${trim(w.part)} of it)` : ''}
          </Link>
          <span className="muted clip">
            {w.userName}, {w.projectName}
          </span>
          {w.isolation === 'declared' ? null : <IsolationBadge level={w.isolation} />}
        </div>
      ))}
      {gpu.heldByOthers > 0 ? <div>{gpu.heldByOthers < 1 ? `${trim(gpu.heldByOthers)} of it` : 'It'} is in use by another project.</div> : null}
      {gpu.isolation === 'declared' ? null : (
        <div className="muted">
          Parts of it: {gpu.isolation}, {isolationAbout(gpu.isolation)}.
        </div>
      )}
      <code className="tiny muted break">{gpu.uuid}</code>
    </div>
  );
}

function Health({ health }: { health: GpuHealth }) {
  return (
    <>
      {factsOf(health).map((fact) => (
        <div key={fact} className="muted">
          {fact}
        </div>
      ))}
      {health.lastXid ? <div className="field-error">{health.lastXid}</div> : null}
    </>
  );
}
