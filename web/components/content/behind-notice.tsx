import { sentences } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'

interface BehindNoticeProps {
  error: { code: string; message: string }
  /** The content comes from this device and has not been loaded since the page was opened. */
  kept: boolean
  onRetry: () => void
  retrying?: boolean
}

/** Explains why the content below may be out of date, and how old it is. */
export function BehindNotice({ error, kept, onRetry, retrying = false }: BehindNoticeProps) {
  const cut = error.code === 'offline' || error.code === 'unavailable'
  const shown = kept ? t`You are seeing the version saved on this device.` : t`You are seeing the version loaded earlier.`
  const cause = error.code === 'offline' ? t`You’re offline.` : t`Cairn cannot be reached.`
  return (
    <Notice
      tone={cut ? 'info' : 'warning'}
      action={
        <Button size="sm" onClick={onRetry} loading={retrying}>
          <Trans>Try again</Trans>
        </Button>
      }
    >
      {cut ? sentences([cause, shown]) : error.message}
    </Notice>
  )
}
