import { placedAtom, unlocatedAtom } from '../../atoms/map.ts'

export { MapView as default } from './map-view.tsx'

/** Made ready ahead (read-ahead.ts). */
export const reads = [placedAtom, unlocatedAtom]
