import type { Cluster } from './clusters.ts'
import type { Bounds } from './position.ts'

export type Ask =
  | { kind: 'load'; lonLat: Float64Array; kinds: Uint8Array }
  | { kind: 'within'; bounds: Bounds; zoom: number }
  | { kind: 'points'; id: string }
  | { kind: 'splits'; id: string }
export type ClusterQuestion = Ask & { requestId: number }
export interface ClusterAnswer {
  requestId: number
  value: Cluster[] | number[] | number
}
