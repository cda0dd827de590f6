import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { t } from '#say'
import { Trans } from '#say/react'
import { watchCardsAtom } from '../atoms/cards.ts'
import {
  collectionsAtom,
  collectionsErrorAtom,
  fetchAllAtom,
  fetchInvitedAtom,
  invitedCollectionsAtom,
  invitedErrorTextAtom,
} from '../atoms/collections.ts'
import { addErrorToastAtom, addToastAtom } from '../atoms/toasts.ts'
import { CollectionCard } from '../components/collections/card.tsx'
import { useNewCollection } from '../components/collections/use-new-collection.ts'
import { InvitationCard } from '../components/members/invite-card.tsx'
import { VerifyNotice } from '../components/session/verify-notice.tsx'
import { ViewHeader } from '../components/shell/view-header.tsx'
import { CairnScene } from '../components/site/cairn-scene.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState, ErrorState, FailedNotice, Skeleton } from '../ui/states.tsx'

const GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4'

export function CollectionsPage() {
  useVerified()
  useCards()
  const collections = useAtomValue(collectionsAtom)
  const invited = useAtomValue(invitedCollectionsAtom) ?? []
  const newCollection = useNewCollection()
  const create = () => void newCollection()
  const error = useAtomValue(collectionsErrorAtom)
  const empty = collections?.length === 0
  return (
    <>
      <ViewHeader
        title={t`Collections`}
        actions={
          !empty && (
            <Button variant="primary" icon="add" onClick={create}>
              <Trans>New collection</Trans>
            </Button>
          )
        }
      />
      <div className="grid gap-8 px-4 pt-2 pb-12 lg:px-8">
        <Troubles />
        <VerifyNotice />
        {invited.length > 0 && (
          <section aria-labelledby="invitations" className="grid gap-3">
            <h2 id="invitations" className="text-sm font-medium text-muted">
              <Trans>Invitations</Trans>
            </h2>
            <ul className={GRID}>
              {invited.map((invitation) => (
                <InvitationCard key={invitation.id} invitation={invitation} />
              ))}
            </ul>
          </section>
        )}
        {collections === null && error ? null : empty ? (
          <FirstCollection onCreate={create} />
        ) : (
          <section aria-label={t`Your collections`}>
            {collections ? (
              <ul className={GRID}>
                {collections.map((collection) => (
                  <CollectionCard key={collection.id} collection={collection} />
                ))}
              </ul>
            ) : (
              <CardSkeletons />
            )}
          </section>
        )}
      </div>
    </>
  )
}

function Troubles() {
  const known = useAtomValue(collectionsAtom) !== null
  const error = useAtomValue(collectionsErrorAtom)
  const invitedError = useAtomValue(invitedErrorTextAtom)
  const retry = useSetAtom(fetchAllAtom)
  if (error && !known) return <ErrorState title={t`Your collections could not be loaded`} message={error} onRetry={() => void retry()} />
  const text = error ?? invitedError
  return text ? <FailedNotice message={text} onRetry={() => void retry()} /> : null
}

function FirstCollection({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      compact
      art={<CairnScene className="mb-4 aspect-[5/3] w-full max-w-sm rounded-2xl" />}
      title={t`Your first collection`}
      action={
        <Button variant="primary" size="lg" icon="add" onClick={onCreate}>
          <Trans>New collection</Trans>
        </Button>
      }
    >
      <Trans>Collect photos and posts of a trip, a family or a place, and share them with those who were there.</Trans>
    </EmptyState>
  )
}

function CardSkeletons() {
  return (
    <div role="status" aria-label={t`Loading collections`} className={GRID}>
      {['a', 'b', 'c'].map((key) => (
        <Skeleton rounded="xl" key={key} className="h-60" />
      ))}
    </div>
  )
}

/** Refreshes the counts and covers of all collections while they are on the screen. */
function useCards(): void {
  const watch = useSetAtom(watchCardsAtom)
  useEffect(() => watch(), [watch])
}

/** Reports the result of the confirmation link: `?verified=1`, or 0 when it failed. */
function useVerified(): void {
  const [search, setSearch] = useSearchParams()
  const verified = search.get('verified')
  const fetchInvited = useSetAtom(fetchInvitedAtom)
  const addToast = useSetAtom(addToastAtom)
  const addError = useSetAtom(addErrorToastAtom)
  useEffect(() => {
    if (verified === null) return
    setSearch({}, { replace: true })
    if (verified !== '1' || search.has('error')) {
      addError(t`This link has expired`, t`Request a new one here or in your profile.`)
      return
    }
    addToast({ id: 'verified', title: t`Your e-mail address is confirmed`, color: 'success', icon: 'mark-email-read' })
    void fetchInvited()
  }, [verified, search, setSearch, fetchInvited, addToast, addError])
}
