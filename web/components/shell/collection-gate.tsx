import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router'
import { t } from '#say'
import { Trans } from '#say/react'
import { isId } from '../../../contract/ids.ts'
import { collectionsErrorAtom, fetchAllAtom, lostCollectionAtom, selectedCollectionAtom } from '../../atoms/collections.ts'
import { ownViewAtom } from '../../atoms/live.ts'
import { dateSettingsKeyAtom } from '../../atoms/profile.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { guestLink } from '../../lib/guest/link.ts'
import { collectionIdOf, PATHS, viewAt } from '../../lib/links.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { BulkHost } from '../bulk/host.tsx'
import { useFilterUrlState } from '../filters/use-filter-url-state.ts'

/** Renders the views once the open collection is known to be one of the user's own. */
export function CollectionGate() {
  const collection = useAtomValue(selectedCollectionAtom)
  const error = useAtomValue(collectionsErrorAtom)
  const retry = useSetAtom(fetchAllAtom)
  const lost = useAtomValue(lostCollectionAtom)
  const dates = useAtomValue(dateSettingsKeyAtom)
  const user = useAtomValue(sessionUserIdAtom)
  const [search] = useSearchParams()
  useOwnView()
  useFilterUrlState()
  if (guestLink && (collection === null || user === null)) return <LinkEnded />
  if (collection)
    return (
      <>
        {/* Dates are written again when the reader changes how. */}
        <Outlet key={`${collection.id} ${dates}`} />
        {!guestLink && <BulkHost />}
      </>
    )
  if (collection === undefined && error)
    return <ErrorState title={t`Your collections could not be loaded`} message={error} onRetry={() => void retry()} />
  if (collection === undefined) return <ViewSkeleton />
  // The user was removed while it was open; a message gives the reason.
  if (lost && collectionIdOf(search) === lost.id) return <Navigate to={PATHS.collections} replace />
  return (
    <>
      <title>{t`Collection · Cairn`}</title>
      <h1 className="sr-only">
        <Trans>Collection</Trans>
      </h1>
      <EmptyState
        icon="lock"
        title={t`Collection not found`}
        className="pt-30"
        action={
          <ButtonLink to={PATHS.collections} variant="primary">
            <Trans>All collections</Trans>
          </ButtonLink>
        }
      >
        <Trans>It was deleted, or you are not a member. An admin or the owner can invite you.</Trans>
      </EmptyState>
    </>
  )
}

function LinkEnded() {
  return (
    <>
      <title>{t`Shared with you · Cairn`}</title>
      <h1 className="sr-only">
        <Trans>Shared with you</Trans>
      </h1>
      <EmptyState icon="lock" title={t`This link shows nothing any more`} className="pt-30">
        <Trans>It has ended or has changed. Open it again, or ask whoever sent it to you for another one.</Trans>
      </EmptyState>
    </>
  )
}

function ViewSkeleton() {
  return (
    <div role="status" aria-label={t`Loading the collection`} className="grid gap-6 p-4 lg:p-8">
      <Skeleton className="h-8 w-56" />
      <div className="grid grid-cols-3 gap-1 md:grid-cols-5">
        {Array.from({ length: 15 }, (_, index) => `tile-${index}`).map((key) => (
          <Skeleton rounded="none" key={key} className="aspect-square" />
        ))}
      </div>
    </div>
  )
}

/** Publishes which view of the collection the user has open, and which item. */
function useOwnView(): void {
  const setOwnView = useSetAtom(ownViewAtom)
  const view = viewAt(useLocation().pathname)?.view ?? null
  const [search] = useSearchParams()
  const itemId = search.get('item')
  useEffect(() => {
    setOwnView(view && { view, itemId: itemId && isId(itemId) ? itemId : null })
  }, [setOwnView, view, itemId])
  useEffect(() => () => setOwnView(null), [setOwnView])
}
