/** Chromium's event once the app can be installed. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

declare global {
  /** Stored by the head script (web/head): the event may fire before the app's own code runs. */
  var installOffer: InstallOffer | undefined
}

const OFFERED = 'installoffer'

export function canInstall(): boolean {
  return globalThis.installOffer !== undefined
}

/** Calls the listener when that may have changed. Returns a function that unsubscribes. */
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

/** Shows the install prompt. An event works once; after a refusal, the browser decides when to send the next. */
export async function installApp(): Promise<void> {
  const offer = globalThis.installOffer
  globalThis.installOffer = undefined
  dispatchEvent(new Event(OFFERED))
  await offer?.prompt()
}
