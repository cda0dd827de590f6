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
  const cause = error.code === 'offline' ? 'You’re offline.' : 'Cairn cannot be reached.'
  return (
    <Notice
      tone={cut ? 'info' : 'warning'}
      action={
        <Button size="sm" onClick={onRetry} loading={retrying}>
          Try again
        </Button>
      }
    >
      {cut ? `${cause} You are seeing the version ${kept ? 'saved on this device' : 'loaded earlier'}.` : error.message}
    </Notice>
  )
}
