/** Dispatched on the window after every create, update and delete in the open collection. */
const POST_UPDATED = 'realtime-post-updated'

export function emitPostUpdated(collectionId: string): void {
  globalThis.dispatchEvent?.(new CustomEvent(POST_UPDATED, { detail: { collectionId } }))
}
