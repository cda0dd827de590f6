import type { Ask, ClusterAnswer, ClusterQuestion } from './cluster-messages.ts'
import type { Cluster } from './clusters.ts'
import type { Bounds } from './position.ts'

/** Clusters computed in a web worker. Responses come in the order of the requests. */
export class ClusterClient {
  readonly #worker = new Worker(new URL('./clusters.worker.ts', import.meta.url), { type: 'module' })
  readonly #waiting = new Map<number, (value: ClusterAnswer['value']) => void>()
  #lastId = 0

  constructor() {
    this.#worker.addEventListener('message', ({ data: { requestId, value } }: MessageEvent<ClusterAnswer>) => {
      this.#waiting.get(requestId)?.(value)
      this.#waiting.delete(requestId)
    })
  }

  /** Replaces all earlier points. The arrays are transferred to the worker. */
  async load(lonLat: Float64Array<ArrayBuffer>, kinds: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#ask({ kind: 'load', lonLat, kinds }, [lonLat.buffer, kinds.buffer])
  }

  async within(bounds: Bounds, zoom: number): Promise<Cluster[]> {
    return (await this.#ask({ kind: 'within', bounds, zoom })) as Cluster[]
  }

  async points(id: string): Promise<number[]> {
    return (await this.#ask({ kind: 'points', id })) as number[]
  }

  async splitsAt(id: string): Promise<number> {
    return Number(await this.#ask({ kind: 'splits', id }))
  }

  close(): void {
    this.#worker.terminate()
  }

  #ask(ask: Ask, transfer: Transferable[] = []): Promise<ClusterAnswer['value']> {
    const requestId = this.#lastId++
    this.#worker.postMessage({ ...ask, requestId } satisfies ClusterQuestion, transfer)
    return new Promise((resolve) => this.#waiting.set(requestId, resolve))
  }
}
