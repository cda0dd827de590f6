import { vi } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { createUploadQueue, type QueueDeps } from '../../web/lib/uploads/queue.ts'
import type { FilmMaker, Prepared, Renditions, UploadEvent, UploadItem, UploadStore, UploadTransport } from '../../web/lib/uploads/types.ts'

export const COLLECTION = '01890000-0000-7000-8000-000000000001'

export class Refusal extends Error {
  code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

export function memoryStore(room = true): UploadStore & { rows: Map<string, UploadItem> } {
  const rows = new Map<string, UploadItem>()
  const files = new Map<string, Blob>()
  const pictures = new Map<string, Renditions>()
  return {
    rows,
    async save(item, file) {
      if (room) files.set(item.id, file)
      if (room) rows.set(item.id, item)
      return room
    },
    async update(item) {
      if (rows.has(item.id)) rows.set(item.id, item)
    },
    saveRenditions: async (id, made) => void pictures.set(id, made),
    renditions: async (id) => pictures.get(id) ?? { thumb: null, preview: null },
    file: async (id) => files.get(id) ?? null,
    items: async (id) => [...rows.values()].filter((item) => !id || item.id === id),
    async remove(ids) {
      for (const id of ids) for (const map of [rows, files, pictures]) map.delete(id)
    },
  }
}

export const asset = (id: string) => ({ id, status: 'ready', renditions: [] as string[] }) as Asset
export const MADE = { type: 'video/mp4' as const, size: 4, checksum: 'f' }

/**
 * A queue with a manual clock, and a server that takes files only in parts, as large files and servers of older versions do, unless the
 * `transport` sends them whole.
 */
export function stage(
  options: {
    room?: boolean
    store?: UploadStore
    transport?: Partial<UploadTransport>
    isKnown?: QueueDeps['isKnown']
    films?: Partial<FilmMaker>
    onHandedOver?: QueueDeps['onHandedOver']
  } = {},
) {
  const events: UploadEvent[] = []
  const timers: { run: () => void; at: number }[] = []
  const parts = new Map<string, number[]>()
  let time = 1_800_000_000_000
  const open = (id: string) => ({ state: 'open' as const, partSize: 4, parts: 2, received: parts.get(id) ?? [] })
  const transport: UploadTransport = {
    sendWhole: vi.fn(async () => {
      throw new Refusal('unsupported_media')
    }),
    begin: async (item) => open(item.id),
    resume: async (id) => open(id),
    putPart: vi.fn(async (id: string, part: number) => void parts.set(id, [...(parts.get(id) ?? []), part])),
    putRendition: vi.fn(async () => {}),
    complete: vi.fn(async ({ id }: UploadItem) => ({ asset: asset(id), duplicate: false })),
    fillIn: async (existing) => existing,
    discard: vi.fn(async () => {}),
    discardFilm: vi.fn(async () => {}),
    sendFilm: vi.fn(async (id: string) => ({ ...asset(id), renditions: ['film' as const] })),
    ...options.transport,
  }
  const prepare = vi.fn(async (file: Blob): Promise<Prepared> => {
    const checksum = await file.text()
    const plays = file.type.startsWith('video/') ? ('makeable' as const) : null
    const meta = { checksum, plays, type: 'image/jpeg', width: 4, height: 3, duration: null, thumbhash: null, date: null, dateZone: null }
    return { meta: { ...meta, datePrecision: 'unknown', location: null }, thumb: new Blob(['t']), preview: null, note: null }
  })
  const store = options.store ?? memoryStore(options.room)
  const films: FilmMaker = {
    wanted: () => true,
    mayBeSent: () => true,
    make: vi.fn(async () => MADE),
    film: async () => new Blob(['film']),
    remove: vi.fn(),
    keepOnly: vi.fn(),
    ...options.films,
  }
  const queue = createUploadQueue({
    ...{ userId: 'ada', store, prepare, transport, films },
    isKnown: options.isKnown ?? (() => false),
    onHandedOver: options.onHandedOver ?? (() => {}),
    failureOf: (error) => ({ code: error instanceof Refusal ? error.code : 'unreadable', message: String(error), retryAfter: null }),
    onChange: () => {},
    onEvent: (event) => events.push(event),
    now: () => time,
    random: () => 0,
    later: (run, ms) => {
      const timer = { run, at: time + ms }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
  })
  const states = () => Object.fromEntries(queue.items().map((item) => [item.name, item.state]))
  function pass(ms: number) {
    time += ms
    for (const timer of timers.splice(0)) timer.at <= time ? timer.run() : timers.push(timer)
  }
  const filmsOf = () => queue.items().map(({ film }) => film?.state)
  return { queue, store, transport, prepare, events, states, pass, parts, films, filmsOf }
}

export const file = (name: string, content = name) => new File([content], name, { type: 'image/jpeg' })
export const clip = (name: string) => new File([name], name, { type: 'video/quicktime' })
export const settled = (check: () => void) => vi.waitFor(check, { timeout: 1000, interval: 2 })
