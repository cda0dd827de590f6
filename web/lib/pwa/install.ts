/** What Chromium gives once the app can be installed. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

declare global {
  /** Caught by the head script (web/head): it may come before the app's own code. */
  var installOffer: InstallOffer | undefined
}

const OFFERED = 'installoffer'

/** Whether this browser would install the app now. */
export function canInstall(): boolean {
  return globalThis.installOffer !== undefined
}

/** Calls back when that may have changed. Returns the unsubscriber. */
export function onCanInstall(changed: () => void): () => void {
  const installed = () => {
    globalThis.installOffer = undefined
    changed()
  }
  addEventListener(OFFERED, changed)
  addEventListener('appinstalled', installed)
  return () => {
    removeEventListener(OFFERED, changed)
    removeEventListener('appinstalled', installed)
  }
}

/** Lets the browser ask. An offer is good once; who declines is offered it again by the browser when it thinks fit. */
export async function installApp(): Promise<void> {
  const offer = globalThis.installOffer
  globalThis.installOffer = undefined
  dispatchEvent(new Event(OFFERED))
  await offer?.prompt()
}
