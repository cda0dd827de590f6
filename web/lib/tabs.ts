/** What one tab tells the others of this browser. */
export type TabMessage = 'signed-in' | 'signed-out'

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('session')

export function tellTabs(message: TabMessage): void {
  channel?.postMessage(message)
}

export function onTabMessage(listener: (message: TabMessage) => void): void {
  channel?.addEventListener('message', (event: MessageEvent) => {
    if (event.data === 'signed-in' || event.data === 'signed-out') listener(event.data)
  })
}

/** Runs once this tab is the only one of its account, and stays so until the signal aborts. Without Web Locks every tab is. */
export async function whenAlone(name: string, signal: AbortSignal, lead: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return lead()
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  await navigator.locks
    .request(name, { signal }, async () => {
      if (signal.aborted) return
      await lead()
      await ended
    })
    .catch(() => {})
}
