/**
 * For sign-out or another user: unsubscribes this browser from notifications and closes those that are open. The server learns of it from
 * the push service.
 */
export async function endPush(): Promise<void> {
  try {
    // Not supported, or not allowed, in every browser.
    await navigator.clearAppBadge?.().catch(() => undefined)
    const registration = await navigator.serviceWorker?.getRegistration()
    if (!registration) return
    for (const notification of await registration.getNotifications()) notification.close()
    // Last: without a connection this fails.
    await (await registration.pushManager?.getSubscription())?.unsubscribe()
  } catch {
    // Without push support there is nothing to end.
  }
}
