import { Link } from 'react-router-dom';

export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <g fill="#fff">
        <rect x="7" y="7" width="8" height="8" rx="2" />
        <rect x="17" y="7" width="8" height="8" rx="2" opacity=".65" />
        <rect x="7" y="17" width="8" height="8" rx="2" opacity=".65" />
        <rect x="17" y="17" width="8" height="8" rx="2" opacity=".35" />
      </g>
    </svg>
  );
}

export function Brand({ large }: { large?: boolean }) {
  return (
    <Link to="/" className="brand">
      <Mark size={large ? 28 : 22} /> Gpuyard
    </Link>
  );
}
