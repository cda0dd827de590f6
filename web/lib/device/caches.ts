/** Pictures that a person has looked at, by size. The service worker fills these caches, but only this side makes and removes them. */
const PICTURES = 'cairn-pictures-'

const IMAGE_SIZES = ['small', 'large'] as const
export type ImageSize = (typeof IMAGE_SIZES)[number]

export const picturesPrefix = (size: ImageSize) => `${PICTURES}${size}-`

let working: Promise<void> = Promise.resolve()

/** Whose pictures are kept from now on. Those of anybody else are removed. */
export function keepPicturesFor(userId: string | null): Promise<void> {
  return inTurn(async () => {
    const mine: string[] = userId === null ? [] : namesOf(userId)
    for (const name of await caches.keys()) if (name.startsWith(PICTURES) && !mine.includes(name)) await caches.delete(name)
    for (const name of mine) await caches.open(name)
  })
}

/** Some of them may no longer be seen: nobody knows any more which those are. */
export function forgetPictures(userId: string): Promise<void> {
  return inTurn(async () => {
    for (const name of namesOf(userId)) if (await caches.delete(name)) await caches.open(name)
  })
}

function namesOf(userId: string): string[] {
  return IMAGE_SIZES.map((size) => picturesPrefix(size) + userId)
}

/** Where storage is blocked, or the site is not on https, nothing is kept. */
function inTurn(work: () => Promise<void>): Promise<void> {
  if (typeof caches === 'undefined') return Promise.resolve()
  working = working.then(work).catch(() => undefined)
  return working
}
