/** Calls `go` with the target of a notification that is clicked while the app is open. The target has not been validated. */
export function onNotificationOpened(go: (to: string) => void): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (typeof data?.goTo === 'string') go(data.goTo)
  })
}
