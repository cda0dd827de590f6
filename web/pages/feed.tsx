import { useAtomValue, useSetAtom } from 'jotai'
import { t } from '#say'
import { Trans } from '#say/react'
import { collectionsAtom } from '../atoms/collections.ts'
import { feedArrivalsAtom, feedErrorAtom, showArrivalsAtom } from '../atoms/feed.ts'
import { dateSettingsKeyAtom } from '../atoms/profile.ts'
import { useNewCollection } from '../components/collections/use-new-collection.ts'
import { ArrivalsPill } from '../components/content/arrivals-pill.tsx'
import { BehindNotice } from '../components/content/behind-notice.tsx'
import { FeedList, FeedSkeleton } from '../components/feed/list.tsx'
import { useFeed } from '../components/feed/use-feed.ts'
import { Contributions } from '../components/members/contributions.tsx'
import { JoinRequests } from '../components/members/join-requests.tsx'
import { ViewHeader } from '../components/shell/view-header.tsx'
import { PATHS } from '../lib/links.ts'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'

/** New items in all collections. */
export function FeedPage() {
  const { visit, retry } = useFeed()
  const error = useAtomValue(feedErrorAtom)
  const arrivals = useAtomValue(feedArrivalsAtom)
  const show = useSetAtom(showArrivalsAtom)
  const dates = useAtomValue(dateSettingsKeyAtom)
  return (
    <>
      <ViewHeader title={t`Feed`} />
      <ArrivalsPill
        count={arrivals}
        onGo={() => {
          show()
          scrollTo({ top: 0 })
        }}
      />
      {/* Dates are written again when the reader changes how. */}
      <div key={dates} className="px-4 pb-24 lg:px-8">
        <Requests />
        <FromGuests />
        {visit ? (
          <>
            {error && (
              <div className="mx-auto max-w-2xl pb-4">
                <BehindNotice error={error} kept={visit.asOf === null} onRetry={retry} />
              </div>
            )}
            {visit.items.length > 0 ? <FeedList items={visit.items} since={visit.since} cursor={visit.nextCursor} /> : <NothingYet />}
          </>
        ) : error ? (
          <ErrorState title={t`The feed could not be loaded`} message={error.message} onRetry={retry} />
        ) : (
          <FeedSkeleton count={4} />
        )}
      </div>
    </>
  )
}

/** People who ask to become members of collections of the user. */
function Requests() {
  const collections = useAtomValue(collectionsAtom)
  return collections
    ?.filter(({ join_requests }) => join_requests)
    .map((collection) => (
      <section key={collection.id} className="mx-auto grid max-w-2xl gap-3 pt-2 pb-6">
        <h2 className="text-sm font-medium text-muted">
          <Trans>Requests to join “{collection.name}”</Trans>
        </h2>
        <JoinRequests collection={collection} />
      </section>
    ))
}

/** What guests have sent to collections of the user. */
function FromGuests() {
  const collections = useAtomValue(collectionsAtom)
  return collections
    ?.filter(({ contributions }) => contributions)
    .map((collection) => (
      <section key={collection.id} className="mx-auto grid max-w-2xl gap-3 pt-2 pb-6">
        <h2 className="text-sm font-medium text-muted">
          <Trans>Sent by guests to “{collection.name}”</Trans>
        </h2>
        <Contributions collection={collection} />
      </section>
    ))
}

function NothingYet() {
  const newCollection = useNewCollection()
  const none = useAtomValue(collectionsAtom)?.length === 0
  return (
    <EmptyState
      icon="dynamic-feed"
      title={t`Nothing new yet`}
      action={
        none ? (
          <Button variant="primary" icon="add" onClick={() => void newCollection()}>
            <Trans>New collection</Trans>
          </Button>
        ) : (
          <ButtonLink to={PATHS.collections}>
            <Trans>Open a collection</Trans>
          </ButtonLink>
        )
      }
    >
      <Trans>New items in your collections and comments that concern you appear here, newest first.</Trans>
    </EmptyState>
  )
}
