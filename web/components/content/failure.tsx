import { useAtomValue } from 'jotai'
import { useLayoutEffect, useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { contentAtom, contentFailedAtom } from '../../atoms/content.ts'
import type { ShownFailure } from '../../lib/message-of.ts'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { BehindNotice } from './behind-notice.tsx'

interface ContentFailureProps {
  onRetry: () => Promise<void>
  /** Of the line above the content. */
  className: string
}

/**
 * Explains in every view why the open collection could not be loaded. With stored content it is a line above it, otherwise it replaces the view
 * (`contentFailedAtom`). Renders nothing when there is no error.
 */
export function ContentFailure(props: ContentFailureProps) {
  const { error } = useAtomValue(contentAtom)
  return error && <Failure error={error} {...props} />
}

function Failure({ error, onRetry, className }: ContentFailureProps & { error: ShownFailure }) {
  const { origin } = useAtomValue(contentAtom)
  const failed = useAtomValue(contentFailedAtom)
  const [retrying, setRetrying] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  // The button disappears on success, and must not take the focus with it.
  useLayoutEffect(() => {
    const own = box.current
    return () => {
      if (own?.contains(document.activeElement)) document.getElementById('content')?.focus({ preventScroll: true })
    }
  }, [])
  const retry = () => {
    setRetrying(true)
    void onRetry().finally(() => setRetrying(false))
  }
  return (
    <div ref={box} className={failed ? undefined : className}>
      {failed ? (
        <Unavailable error={error} onRetry={retry} retrying={retrying} />
      ) : (
        <BehindNotice error={error} kept={origin !== 'server'} onRetry={retry} retrying={retrying} />
      )}
    </div>
  )
}

function Unavailable({ error, onRetry, retrying }: { error: ShownFailure; onRetry: () => void; retrying: boolean }) {
  if (error.code === 'forbidden' || error.code === 'not_found') {
    return (
      <EmptyState icon="lock" title={t`You no longer have access to this collection`}>
        <Trans>An admin or the owner can invite you again.</Trans>
      </EmptyState>
    )
  }
  const title = error.code === 'offline' ? t`You’re offline` : t`The collection could not be loaded`
  return <ErrorState title={title} message={error.message} onRetry={onRetry} retrying={retrying} />
}
