export type TabMessage = 'signed-in' | 'signed-out'

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('session')

export function notifyTabs(message: TabMessage): void {
  channel?.postMessage(message)
}

export function onTabMessage(listener: (message: TabMessage) => void): void {
  channel?.addEventListener('message', (event: MessageEvent) => {
    if (event.data === 'signed-in' || event.data === 'signed-out') listener(event.data)
  })
}
