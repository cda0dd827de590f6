import { type Box, boxesIn, free } from './box-reader.ts'
import type { Patch } from './patches.ts'
import { read, type Source, textOf } from './source.ts'

/** Bytes of a description before the boxes in it, by its codec; of sound they differ, so those are kept whole. */
const FIELDS: readonly [codec: RegExp, bytes: number][] = [
  [/^(avc[1-4]|hvc1|hev1|dv[ah][1ev]|dvav|av01|vp0[89]|vv[ci]1|vvi1|mp4v|s263)$/, 78],
  [/^tmcd$/, 26],
]
/** How to decode and show pictures. */
const KEPT =
  /^(avcC|hvcC|lhvC|vvcC|vvnC|av1C|vpcC|dvcC|dvvC|dvwC|hvcE|avcE|esds|d263|colr|pasp|clap|fiel|gama|btrt|clli|mdcv|cclv|amve|SmDm|CoLL|st3d|sv3d|vexu|hfov|ccst|chrm)$/

/** Frees unknown boxes in the descriptions of a track's samples. Throws Uncleanable. */
export async function cleanEntries(source: Source, stsd: Box): Promise<Patch[]> {
  const fieldsOf = (type: string) => FIELDS.find(([codec]) => codec.test(type))?.[1]
  // Names of sound need not be text.
  if (stsd.end - stsd.body < 16 || !fieldsOf(textOf(await read(source, stsd.body + 12, 4)))) return []
  const patches: Patch[] = []
  for (const entry of await boxesIn(source, stsd.body + 8, stsd.end)) {
    const fields = fieldsOf(entry.type)
    if (fields === undefined) continue
    for (const box of await boxesIn(source, entry.body + fields, entry.end)) if (!KEPT.test(box.type)) patches.push(...free(box))
  }
  return patches
}
