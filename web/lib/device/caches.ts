import { inTurn } from '../in-turn.ts'

/** Images that a user has viewed, by size. The service worker fills these caches, but only the page creates and deletes them. */
const PREFIX = 'cairn-pictures-'

const IMAGE_SIZES = ['small', 'large'] as const
export type ImageSize = (typeof IMAGE_SIZES)[number]

export const imagesPrefix = (size: ImageSize) => `${PREFIX}${size}-`

const oneAtATime = inTurn()

/** Keeps images of this user from now on. Those of all other users are deleted. */
export function keepImagesFor(userId: string | null): Promise<void> {
  return inSequence(async () => {
    const mine: string[] = userId === null ? [] : namesOf(userId)
    for (const name of await caches.keys()) if (name.startsWith(PREFIX) && !mine.includes(name)) await caches.delete(name)
    for (const name of mine) await caches.open(name)
  })
}

/** Deletes all images of a user: some may no longer be accessible, and it is unknown which. */
export function clearImages(userId: string): Promise<void> {
  return inSequence(async () => {
    for (const name of namesOf(userId)) if (await caches.delete(name)) await caches.open(name)
  })
}

function namesOf(userId: string): string[] {
  return IMAGE_SIZES.map((size) => imagesPrefix(size) + userId)
}

/** Without storage, or without https, nothing is cached. */
async function inSequence(work: () => Promise<void>): Promise<void> {
  if (typeof caches !== 'undefined') await oneAtATime(work).catch(() => undefined)
}
