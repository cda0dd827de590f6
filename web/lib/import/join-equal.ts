import { sha256 } from '../hash.ts'
import { joinOverrides } from '../uploads/overrides.ts'
import type { PlannedAsset, ReadOptions } from './types.ts'

/**
 * Finds assets with equal bytes, such as a photo that lies in a year and in an album, and returns for each the one that knows what all copies
 * know. An archive has sums of its files; others are read, if they have the same size.
 */
export async function joinEqual(assets: readonly PlannedAsset[], { signal, onProgress }: ReadOptions) {
  const joined = new Map<PlannedAsset, PlannedAsset>()
  const bySize = [...Map.groupBy(assets, ({ file }) => file.size).values()].filter((sameSize) => sameSize.length > 1)
  for (const [at, sameSize] of bySize.entries()) {
    signal.throwIfAborted()
    onProgress(at / bySize.length)
    for (const copies of (await bySum(sameSize)).values()) {
      const whole = copies.reduce(joinTwo)
      for (const copy of copies) joined.set(copy, whole)
    }
  }
  return joined
}

async function bySum(assets: readonly PlannedAsset[]): Promise<Map<unknown, PlannedAsset[]>> {
  if (assets.every(({ file }) => file.crc)) return Map.groupBy(assets, ({ file }) => file.crc)
  const sums = new Map<PlannedAsset, string>()
  for (const asset of assets) {
    const sum = await asset.file.open().then(
      (blob) => sha256(blob),
      // It is reported when it is imported.
      () => null,
    )
    if (sum) sums.set(asset, sum)
  }
  return Map.groupBy(assets, (asset) => sums.get(asset) ?? asset)
}

/** Each field from the first copy that has it, and the people of both. */
function joinTwo(first: PlannedAsset, second: PlannedAsset): PlannedAsset {
  const [a, b] = [first.overrides, second.overrides]
  return {
    ...first,
    name: b && !a ? second.name : first.name,
    overrides: a && b ? joinOverrides(a, b) : (a ?? b),
    people: [...new Set([...first.people, ...second.people])],
  }
}
