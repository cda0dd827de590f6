import { Trans } from '#say/react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import type { SubmitFailure } from './use-submit.ts'

/** Why the form as a whole failed. After an outage, Retry sends it again. */
export function FormFailure({ failure, busy, onRetry }: { failure: SubmitFailure | null; busy: boolean; onRetry: () => void }) {
  if (!failure?.message) return null
  const outage = failure.code === 'unavailable' || failure.code === 'offline'
  return (
    <Notice
      tone={outage ? 'warning' : 'danger'}
      action={
        outage && (
          <Button size="sm" loading={busy} onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        )
      }
    >
      {failure.message}
    </Notice>
  )
}
