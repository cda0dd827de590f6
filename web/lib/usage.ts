import type { Usage } from '../../contract/usage.ts'

/** From this share on, the user is warned. */
export const ALMOST_FULL = 0.9

/** The larger share of both quotas, from 0; above 1 after a quota was lowered. */
export function fullness({ bytes, items, quota }: Usage): number {
  const share = (used: number, most: number) => (most > 0 ? used / most : 1)
  return Math.max(share(bytes, quota.bytes), share(items, quota.items))
}
