const mix = (one: string, percent: number, other: string) => `color-mix(in oklab, var(--${one}) ${percent}%, var(--${other}))`

/** Light and dark, from the sky to the foreground. */
const TONES = {
  high: `light-dark(${mix('primary-100', 60, 'neutral-50')}, var(--neutral-950))`,
  low: `light-dark(${mix('primary-200', 85, 'neutral-100')}, ${mix('primary-900', 55, 'neutral-900')})`,
  sun: `light-dark(${mix('primary-300', 75, 'neutral-50')}, ${mix('primary-200', 80, 'neutral-100')})`,
  far: `light-dark(${mix('primary-300', 55, 'neutral-300')}, ${mix('primary-900', 45, 'neutral-800')})`,
  middle: `light-dark(${mix('primary-400', 50, 'neutral-400')}, ${mix('primary-950', 60, 'neutral-800')})`,
  near: `light-dark(${mix('primary-700', 45, 'neutral-600')}, ${mix('primary-950', 45, 'neutral-900')})`,
  ground: `light-dark(${mix('primary-900', 35, 'neutral-800')}, ${mix('primary-950', 20, 'neutral-950')})`,
  stone: `light-dark(var(--neutral-900), ${mix('primary-950', 10, 'neutral-950')})`,
  lit: `light-dark(${mix('primary-800', 30, 'neutral-600')}, ${mix('primary-300', 30, 'neutral-500')})`,
}

const STONES = [
  'M428 668c4-24 40-36 92-36s92 10 98 32c5 20-30 34-94 34-62 0-99-10-96-30Z',
  'M452 616c2-22 32-32 72-32 42 0 70 12 72 31 2 19-28 27-74 27-44 0-72-8-70-26Z',
  'M470 570c0-18 24-28 54-28 34 0 54 12 54 27 0 17-22 24-56 24-32 0-52-8-52-23Z',
  'M488 526c1-15 18-24 40-24s38 10 37 24c-1 15-18 22-40 22s-38-8-37-22Z',
  'M505 488c1-12 11-19 24-19s23 8 22 19c-1 12-11 18-24 18s-23-7-22-18Z',
]

/** Hills at evening with a cairn on the nearest one, in the colours of the theme. */
export function CairnScene({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 1200 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true" className={className}>
      <defs>
        <linearGradient id="cairn-sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" style={{ stopColor: TONES.high }} />
          <stop offset="0.62" style={{ stopColor: TONES.low }} />
        </linearGradient>
        <linearGradient id="cairn-stone" x1="0.85" y1="0" x2="0.3" y2="1">
          <stop offset="0" style={{ stopColor: TONES.lit }} />
          <stop offset="0.7" style={{ stopColor: TONES.stone }} />
        </linearGradient>
      </defs>
      <rect width="1200" height="900" fill="url(#cairn-sky)" />
      <circle cx="748" cy="372" r="92" style={{ fill: TONES.sun }} />
      <path
        style={{ fill: TONES.far }}
        d="M0 520c70-30 120-70 196-66 72 4 118 52 190 40 84-14 128-92 222-96 100-4 148 84 240 96 84 11 128-46 206-44 60 2 104 34 146 52v398H0Z"
      />
      <path
        style={{ fill: TONES.middle }}
        d="M0 596c96-16 168-58 262-48 110 12 166 74 286 70 132-4 196-88 330-90 122-2 214 60 322 52v320H0Z"
      />
      <path style={{ fill: TONES.near }} d="M0 706c120-72 236-84 372-52 150 35 248 70 402 44 150-25 270-88 426-64v266H0Z" />
      <path style={{ fill: TONES.ground }} d="M0 782c128-42 246-96 400-104 170-9 270 44 420 66 136 20 262 4 380-22v178H0Z" />
      {STONES.map((d) => (
        <path key={d} d={d} fill="url(#cairn-stone)" />
      ))}
    </svg>
  )
}
