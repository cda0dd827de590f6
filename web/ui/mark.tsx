/** The logo: three stacked stones. */
export function Mark({ size = 28, className = '' }: { size?: number; className?: string }) {
  return (
    <svg viewBox="0 0 64 64" width={size} height={size} aria-hidden="true" className={`shrink-0 fill-(--accent) ${className}`}>
      <rect x="5" y="41" width="54" height="19" rx="9.5" />
      <rect x="12" y="22.5" width="38" height="16" rx="8" transform="rotate(-4 31 30)" opacity=".85" />
      <rect x="21.5" y="5.5" width="23" height="14" rx="7" transform="rotate(6 33 12)" opacity=".7" />
    </svg>
  )
}
