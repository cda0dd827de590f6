const latin1 = new TextDecoder('latin1')

/**
 * Seconds that a moving picture takes (animated WebP, APNG, AVIF sequences), so that pages show its original, which moves, in place of a
 * rendition. Null for one that stands still.
 */
export function animationSeconds(bytes: Uint8Array, type: string): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const milliseconds = READERS[type]?.(view) ?? 0
    return milliseconds > 0 ? milliseconds / 1000 : null
  } catch {
    // Cut off within a chunk.
    return null
  }
}

const READERS: Record<string, (view: DataView) => number> = {
  'image/webp': webpMilliseconds,
  'image/png': pngMilliseconds,
  'image/avif': avifMilliseconds,
}

const named = (view: DataView, at: number) => latin1.decode(new Uint8Array(view.buffer, view.byteOffset + at, 4))

function webpMilliseconds(view: DataView): number {
  let sum = 0
  for (let at = 12; at + 8 <= view.byteLength; at += 8 + view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) & 1))
    if (named(view, at) === 'ANMF') sum += view.getUint32(at + 20, true) & 0xffffff
  return sum
}

function pngMilliseconds(view: DataView): number {
  let sum = 0
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at))
    if (named(view, at + 4) === 'fcTL') sum += (1000 * view.getUint16(at + 28)) / (view.getUint16(at + 30) || 100)
  return sum
}

/** From the lengths of the samples, since some writers leave that of the whole at zero. */
function avifMilliseconds(view: DataView): number {
  if (named(view, 8) !== 'avis') return 0
  const text = latin1.decode(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
  const [header, samples] = [text.indexOf('mdhd') + 4, text.indexOf('stts') + 4]
  if (header < 4 || samples < 4) return 0
  const scale = view.getUint32(header + (view.getUint8(header) === 1 ? 20 : 12))
  let sum = 0
  for (let i = 0; i < view.getUint32(samples + 4); i++) sum += view.getUint32(samples + 8 + 8 * i) * view.getUint32(samples + 12 + 8 * i)
  return scale > 0 ? (1000 * sum) / scale : 0
}
