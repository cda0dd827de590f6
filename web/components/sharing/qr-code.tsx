import { encodeQR } from 'qr'

/** Modules of white around the code, without which cameras do not find it. */
const BORDER = 4

/** An address for a phone's camera: black on white in every theme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: BORDER })
  const squares = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-lg border bg-white text-black"
    >
      <path d={squares.join('')} fill="currentColor" />
    </svg>
  )
}
