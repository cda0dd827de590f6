import { locatedAtom, unlocatedAtom } from '../../atoms/map.ts'

export { MapView as default } from './map-view.tsx'

/** Computed ahead (read-ahead.ts). */
export const reads = [locatedAtom, unlocatedAtom]
