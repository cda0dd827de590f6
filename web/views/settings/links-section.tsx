import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { sentences } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import { withFullStop } from '../../../contract/full-stop.ts'
import type { Link } from '../../../contract/links.ts'
import { personName } from '../../../contract/person-name.ts'
import { may } from '../../../contract/policy.ts'
import { peopleAtom } from '../../atoms/filters.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { endShareLinkAtom, fetchShareLinksAtom, shareLinksAtom } from '../../atoms/share-links.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { focusBeside } from '../../components/focus-beside.ts'
import { useConfirm } from '../../components/overlays/confirm-dialog.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { useOpen } from '../../components/overlays/use-open.ts'
import { ROW, ROWS, SettingsSection } from '../../components/settings-section.tsx'
import { rulesText, shownText, visitsText } from '../../components/sharing/link-words.ts'
import { useShare } from '../../components/sharing/use-share.ts'
import { dayHere, today } from '../../lib/dates/moments.ts'
import { formatDate } from '../../lib/dates/text.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyNotice } from '../../ui/empty-notice.tsx'
import { ErrorState, FailedNotice, Skeleton } from '../../ui/states.tsx'

const loadChange = async () => (await import('../../components/sharing/change-link-dialog.tsx')).ChangeLinkDialog

/** Links for people without an account: all of them for admins and the owner, a writer's own. */
export function LinksSection({ collection }: { collection: Collection }) {
  const { id, role } = collection
  const fetchLinks = useSetAtom(fetchShareLinksAtom)
  const state = useAtomValue(shareLinksAtom)
  const { share, mayShare } = useShare()
  useEffect(() => {
    // An admin sees more of them than a writer.
    const load = () => void fetchLinks(id, role)
    load()
    // No live message says that a link was opened.
    const onFocus = () => navigator.onLine && load()
    addEventListener('focus', onFocus)
    return () => removeEventListener('focus', onFocus)
  }, [fetchLinks, id, role])
  const { links, error } = state?.collectionId === id && state.role === role ? state : { links: null, error: null }
  return (
    <SettingsSection
      title={t`Links`}
      anchor="links"
      description={
        mayShare
          ? t`With a link, people without an account see this collection, or a part of it.`
          : t`With a link, people without an account see what you share. Select photos or open a post to make one.`
      }
      action={
        may(role, 'links.make') && (
          <Button icon="link" onClick={() => share()}>
            <Trans>New link</Trans>
          </Button>
        )
      }
    >
      {links && error !== null && <FailedNotice message={error} onRetry={() => void fetchLinks(id, role)} />}
      {links ? (
        <LinkList links={links} collection={collection} />
      ) : error === null ? (
        <Skeleton className="h-16" />
      ) : (
        <ErrorState title={t`Links could not be loaded`} message={error} onRetry={() => void fetchLinks(id, role)} />
      )}
    </SettingsSection>
  )
}

function LinkList({ links, collection }: { links: Link[]; collection: Collection }) {
  if (links.length === 0)
    return (
      <EmptyNotice>
        <Trans>No links.</Trans>
      </EmptyNotice>
    )
  return (
    <ul className={ROWS}>
      {links.map((link) => (
        <LinkRow key={link.id} link={link} collection={collection} />
      ))}
    </ul>
  )
}

function LinkRow({ link, collection }: { link: Link; collection: Collection }) {
  const people = useAtomValue(peopleAtom)
  const userId = useAtomValue(sessionUserIdAtom)
  const end = useSetAtom(endShareLinkAtom)
  const open = useOpen()
  const act = useAct()
  const confirm = useConfirm()
  const addToast = useSetAtom(addToastAtom)
  const shown = shownText(link, people)
  const name = link.name ?? shown
  const day = formatDate(dayHere(link.created_at), today().slice(0, 4))
  const made = link.createdBy.id === userId ? t`Made by you on ${day}.` : t`Made by ${{ name: personName(link.createdBy.name) }} on ${day}.`
  const remove = async (row: Element | null) => {
    const sure = await confirm({
      title: t`End the link “${name}”?`,
      description: t`Whoever has it sees nothing more from now on. A new link has another address.`,
      confirm: t`End link`,
      danger: true,
    })
    const goBeside = focusBeside(row)
    if (!sure || !(await act(() => end(link)))) return
    addToast({ title: t`Link ended`, icon: 'link-off' })
    goBeside()
  }
  return (
    <li className={ROW}>
      <div className="min-w-0 flex-1 basis-56">
        <p className="truncate font-medium" dir="auto">
          {name}
        </p>
        <p className="text-sm text-pretty text-muted">{sentences([link.name !== null && withFullStop(shown), rulesText(link, today())])}</p>
        <p className="text-sm text-pretty text-muted">{sentences([made, link.ended ? t`It has ended.` : visitsText(link, today())])}</p>
      </div>
      <div className="flex gap-1">
        <Button size="sm" variant="ghost" onClick={() => void open(loadChange, { link, collection })}>
          <Trans>
            Change
            <span className="sr-only"> the link {name}</span>
          </Trans>
        </Button>
        <Button size="sm" variant="ghost" onClick={({ currentTarget }) => void remove(currentTarget.closest('li'))}>
          <Trans context="verb">
            End
            <span className="sr-only"> the link {name}</span>
          </Trans>
        </Button>
      </div>
    </li>
  )
}
