import { Trans } from '#say/react'

/** For the keyboard: past what is the same on all pages. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 start-2 z-60 -translate-y-20 rounded-md bg-accent px-4 py-2 font-medium text-on-accent focus:translate-y-0"
    >
      <Trans>Skip to content</Trans>
    </a>
  )
}
