/**
 * Nobody is signed in here any more, or somebody else: this browser is notified of nothing, and shows nothing of what it was. The server
 * hears of it from the push service.
 */
export async function endPush(): Promise<void> {
  try {
    // Not in every browser, and not allowed by all.
    await navigator.clearAppBadge?.().catch(() => undefined)
    const registration = await navigator.serviceWorker?.getRegistration()
    if (!registration) return
    for (const notification of await registration.getNotifications()) notification.close()
    // Last: without a connection this fails.
    await (await registration.pushManager?.getSubscription())?.unsubscribe()
  } catch {
    // Where there is no push, there is nothing to end.
  }
}
