import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { may } from '../../../contract/policy.ts'
import { circleAtom, circleErrorAtom } from '../../atoms/circle.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { fetchCircleAtom } from '../../atoms/members.ts'
import { ExportLink } from '../../components/collections/export-link.tsx'
import { useContent } from '../../components/content/use-content.ts'
import { useImport } from '../../components/import/launch.ts'
import { Contributions } from '../../components/members/contributions.tsx'
import { JoinRequests } from '../../components/members/join-requests.tsx'
import { SETTINGS_PAGE, SettingsSection } from '../../components/settings-section.tsx'
import { ViewHeader } from '../../components/shell/view-header.tsx'
import { StorageUsage } from '../../components/storage/storage-usage.tsx'
import { TRASH_OPEN } from '../../components/trash/host.tsx'
import { useRestOfPage } from '../../components/use-rest-of-page.ts'
import { changed } from '../../components/use-view-param.ts'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { AnswersSection } from './answers-section.tsx'
import { CalendarSection } from './calendar-section.tsx'
import { EndSection } from './end-section.tsx'
import { InvitesSection } from './invites-section.tsx'
import { LinksSection } from './links-section.tsx'
import { LookSection } from './look-section.tsx'
import { MailSection } from './mail-section.tsx'
import { MembersSection } from './members-section.tsx'
import { NoticesSection } from './notices-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { PlacesSection } from './places-section.tsx'

export function SettingsView() {
  const collection = useAtomValue(selectedCollectionAtom)
  // The number of items of each person is shown.
  useContent()
  return (
    <>
      <ViewHeader title={t`Settings`} />
      <div className={SETTINGS_PAGE}>{collection && <Sections key={collection.id} collection={collection} />}</div>
    </>
  )
}

/** Members are fetched when the settings are opened. */
function Sections({ collection }: { collection: Collection }) {
  const { id, role } = collection
  const fetchCircle = useSetAtom(fetchCircleAtom)
  useEffect(() => {
    void fetchCircle(id, role)
  }, [fetchCircle, id, role])
  const rest = useRestOfPage()
  return (
    <>
      <LookSection collection={collection} />
      {rest ? <CircleSections collection={collection} onRetry={() => void fetchCircle(id, role)} /> : <CircleSkeleton />}
    </>
  )
}

function CircleSections({ collection, onRetry }: { collection: Collection; onRetry: () => void }) {
  const { id, role } = collection
  const loaded = useAtomValue(circleAtom)
  const failure = useAtomValue(circleErrorAtom)
  const circle = loaded?.collectionId === id ? loaded : null
  if (!circle && failure?.collectionId === id) {
    return <ErrorState title={t`Members could not be loaded`} message={failure.message} onRetry={onRetry} />
  }
  if (!circle) return <CircleSkeleton />
  return (
    <>
      <MembersSection collection={collection} members={circle.members} />
      {may(role, 'invites.see') && <InvitesSection collection={collection} invites={circle.invites} people={circle.people} />}
      {Boolean(collection.join_requests) && (
        <SettingsSection title={t`Requests`} anchor="requests" description={t`People who have a link and ask to become members.`}>
          <JoinRequests collection={collection} />
        </SettingsSection>
      )}
      {Boolean(collection.contributions) && (
        <SettingsSection
          title={t`From guests`}
          anchor="contributions"
          description={t`Sent by people who have a link. Others see it once you accept it.`}
        >
          <Contributions collection={collection} />
        </SettingsSection>
      )}
      {may(role, 'links.make', true) && <LinksSection collection={collection} />}
      <PeopleSection collection={collection} people={circle.people} members={circle.members} invites={circle.invites} />
      <PlacesSection collection={collection} />
      <AnswersSection collection={collection} />
      <NoticesSection id={id} />
      {may(role, 'item.add') && <MailSection collection={collection} />}
      <CalendarSection collection={collection} />
      <SettingsSection title={t`Storage`} description={t`Used by all members. Items in the trash count until they are deleted.`}>
        <StorageUsage
          collectionId={id}
          advice={t`Remove what is not needed from this collection, or add new posts and files to another one.`}
        />
      </SettingsSection>
      <ExportSection collection={collection} />
      <TrashSection />
      <EndSection collection={collection} members={circle.members} />
    </>
  )
}

function CircleSkeleton() {
  return (
    <div role="status" aria-label={t`Loading members`} className="grid gap-x-12 gap-y-5 border-t py-8 xl:grid-cols-[15rem_minmax(0,1fr)]">
      <Skeleton className="h-5 w-24" />
      <Skeleton className="h-40" />
    </div>
  )
}

/** Export and import of the collection. */
function ExportSection({ collection }: { collection: Collection }) {
  const startImport = useImport()
  return (
    <SettingsSection
      title={t`Export and import`}
      description={t`Export a ZIP file with every original, and all posts as a page that opens in any browser. Import such a file, or an export from Google Photos, Apple Photos, Day One and others.`}
    >
      <div className="flex flex-wrap gap-2">
        <ExportLink collection={collection} />
        {may(collection.role, 'item.add') && (
          <Button icon="archive" onClick={() => startImport()}>
            <Trans>Import…</Trans>
          </Button>
        )}
      </div>
    </SettingsSection>
  )
}

function TrashSection() {
  const { pathname, search } = useLocation()
  return (
    <SettingsSection
      title={t({ message: 'Trash', context: 'noun' })}
      description={t`${plural(LIMITS.trashDays, {
        one: 'Deleted posts, photos and files can be restored for # day.',
        other: 'Deleted posts, photos and files can be restored for # days.',
      })}`}
    >
      <ButtonLink preventScrollReset to={{ pathname, search: changed(search, TRASH_OPEN) }} icon="delete">
        <Trans>Open trash</Trans>
      </ButtonLink>
    </SettingsSection>
  )
}
