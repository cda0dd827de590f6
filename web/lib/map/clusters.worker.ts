import type { ClusterAnswer, ClusterQuestion } from './cluster-messages.ts'
import { ClusterIndex } from './clusters.ts'

// Clusters for the map, off the main thread. Requests about points that have been replaced meanwhile return nothing.
let index: ClusterIndex | null = null

addEventListener('message', ({ data }: MessageEvent<ClusterQuestion>) => {
  postMessage({ requestId: data.requestId, value: answer(data) } satisfies ClusterAnswer)
})

function answer(question: ClusterQuestion): ClusterAnswer['value'] {
  try {
    switch (question.kind) {
      case 'load':
        index = new ClusterIndex(question.lonLat, question.kinds)
        return []
      case 'within':
        return index?.within(question.bounds, question.zoom) ?? []
      case 'points':
        return index?.points(question.id) ?? []
      case 'splits':
        return index?.splitsAt(question.id) ?? 0
    }
  } catch {
    return []
  }
}
