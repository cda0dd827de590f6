/** Dispatched on the window after every create, update and delete of the user in the open collection. */
const POST_UPDATED = 'realtime-post-updated'

export function emitPostUpdated(collectionId: string): void {
  globalThis.dispatchEvent?.(new CustomEvent(POST_UPDATED, { detail: { collectionId } }))
}

export function onPostUpdated(listener: () => void): void {
  addEventListener(POST_UPDATED, listener)
}
