import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useNavigate } from 'react-router'
import { say } from '#language'
import { t } from '#say'
import { may } from '../../../contract/policy.ts'
import { collectionsAtom, selectedCollectionAtom } from '../../atoms/collections.ts'
import { clearFiltersAtom, filteringAtom, narrowingQueryAtom, peopleAtom } from '../../atoms/filters.ts'
import { type Appearance, appearanceAtom } from '../../atoms/theme.ts'
import { NO_FILTERS } from '../../lib/filters/content.ts'
import { narrowingQuery } from '../../lib/filters/url-state.ts'
import { collectionLink, PATHS, viewAt } from '../../lib/links.ts'
import { perform, type ShortcutId, shortcutOf } from '../../lib/shortcuts.ts'
import { VIEWS } from '../../view-table.ts'
import { useNewCollection } from '../collections/use-new-collection.ts'
import { useImport } from '../import/launch.ts'
import { useOpen } from '../overlays/use-open.ts'
import { loadNewPost } from '../posts/post-dialogs.ts'
import { useShare } from '../sharing/use-share.ts'
import { appearanceOptions, useSignOut } from '../shell/person-menu.tsx'
import { TRASH_OPEN } from '../trash/host.tsx'
import { useAddFiles } from '../uploads/use-add-files.ts'
import { changed } from '../use-view-param.ts'
import type { Command } from './command.ts'

type Maker = () => Command[]

const loadInvite = async () => (await import('../members/invite-dialog.tsx')).InviteDialog

/** Commands with fixed names: views, collections, people and actions. */
export function useCommands(): Command[] {
  const makers: Maker[] = [useViewsAndCollections(), usePeople(), useMaking(), useSettings()]
  return makers.flatMap((make) => make())
}

const keysOf = (id: ShortcutId) => {
  const keys = shortcutOf(id)?.keys
  return keys ? { keys } : {}
}

function useViewsAndCollections(): Maker {
  const navigate = useNavigate()
  const store = useStore()
  const selected = useAtomValue(selectedCollectionAtom)
  const collections = useAtomValue(collectionsAtom)
  return () => [
    ...(selected ? VIEWS : []).map(
      ({ view, label, icon }): Command => ({
        id: `view ${view}`,
        group: 'views',
        label: say(label),
        more: selected?.name ?? '',
        face: { icon },
        ...keysOf(`go-${view}`),
        run: () => void navigate(collectionLink(view, selected?.id ?? '', store.get(narrowingQueryAtom))),
      }),
    ),
    {
      id: 'view feed',
      group: 'views',
      label: t`Feed`,
      more: 'news what is new activity',
      face: { icon: 'dynamic-feed' },
      ...keysOf('go-feed'),
      run: () => void navigate(PATHS.feed),
    },
    {
      id: 'view collections',
      group: 'views',
      label: t`All collections`,
      more: 'home invitations',
      face: { icon: 'grid-view' },
      ...keysOf('go-collections'),
      run: () => void navigate(PATHS.collections),
    },
    ...(collections ?? []).map(
      (collection): Command => ({
        id: collection.id,
        group: 'collections',
        label: collection.name,
        more: 'collection open',
        face: { collection },
        ...(collection.id === selected?.id
          ? { hint: t({ message: 'Open now', context: 'adjective', comment: 'Beside the collection that is shown' }) }
          : {}),
        run: () => void navigate(collectionLink(viewAt(window.location.pathname)?.view ?? 'media', collection.id)),
      }),
    ),
  ]
}

/** A person's command filters by everything they are tagged in. */
function usePeople(): Maker {
  const navigate = useNavigate()
  const selected = useAtomValue(selectedCollectionAtom)
  const people = useAtomValue(peopleAtom)
  return () =>
    (selected ? (people ?? []) : []).map((person) => ({
      id: person.id,
      group: 'people',
      label: person.name,
      more: 'person people',
      hint: t`Show their photos and posts`,
      face: { person },
      run: () => {
        const here = viewAt(window.location.pathname)
        const query = narrowingQuery({ filters: { ...NO_FILTERS, people: [person.id] }, search: '' })
        void navigate(collectionLink(here?.shows ? here.view : 'media', selected?.id ?? '', query))
      },
    }))
}

function useMaking(): Maker {
  const selected = useAtomValue(selectedCollectionAtom)
  const { allowed, choose } = useAddFiles()
  const startImport = useImport()
  const newCollection = useNewCollection()
  const open = useOpen()
  const { share, mayShare } = useShare()
  const write = (type: 'event' | 'note') => void open(loadNewPost, { type })
  const invite = () => selected && void open(loadInvite, { collection: selected })
  const action = { group: 'actions', after: true } as const
  return () => [
    ...(allowed
      ? ([
          {
            ...action,
            id: 'new note',
            label: t`New note`,
            more: 'post write add',
            face: { icon: 'sticky-note-2' },
            ...keysOf('new'),
            run: () => write('note'),
          },
          { ...action, id: 'new event', label: t`New event`, more: 'post write add', face: { icon: 'event' }, run: () => write('event') },
          {
            ...action,
            id: 'upload',
            label: t`Upload photos or files`,
            more: 'new add pictures videos',
            face: { icon: 'upload' },
            ...keysOf('upload'),
            run: () => void choose(),
          },
          {
            ...action,
            id: 'import',
            label: t({ message: 'Import', context: 'verb' }),
            more: 'takeout archive zip folder day one immich add',
            face: { icon: 'archive' },
            run: () => startImport(),
          },
        ] satisfies Command[])
      : []),
    {
      ...action,
      id: 'new collection',
      label: t`New collection`,
      more: 'create add',
      face: { icon: 'add' },
      run: () => void newCollection(),
    },
    ...(selected && mayShare
      ? ([
          {
            ...action,
            id: 'share',
            label: t({ message: 'Share', context: 'verb' }),
            more: 'link guest invite send',
            hint: selected.name,
            face: { icon: 'share' },
            run: () => share(),
          },
        ] satisfies Command[])
      : []),
    ...(selected && may(selected.role, 'members.manage')
      ? ([
          {
            ...action,
            id: 'invite',
            label: t`Invite someone`,
            more: 'member add',
            hint: selected.name,
            face: { icon: 'person-add' },
            run: invite,
          },
        ] satisfies Command[])
      : []),
  ]
}

/** Appearance and account commands. */
function useSettings(): Maker {
  const navigate = useNavigate()
  const appearance = useAtomValue(appearanceAtom)
  const setAppearance = useSetAtom(appearanceAtom)
  const filtering = useAtomValue(filteringAtom)
  const clear = useSetAtom(clearFiltersAtom)
  const signOut = useSignOut()
  const looks: Record<Appearance, string> = { system: t`System theme`, light: t`Light theme`, dark: t`Dark theme` }
  const action = { group: 'actions' } as const
  return () => [
    ...(filtering
      ? ([
          { ...action, id: 'clear filters', label: t`Clear filters`, more: 'search', face: { icon: 'filter-list' }, run: clear },
        ] satisfies Command[])
      : []),
    {
      ...action,
      id: 'trash',
      label: t({ message: 'Trash', context: 'noun' }),
      more: 'deleted restore undelete bin',
      face: { icon: 'delete' },
      run: () => void navigate({ search: changed(window.location.search, TRASH_OPEN) }),
    },
    ...appearanceOptions().map(
      ({ value, icon }): Command => ({
        ...action,
        id: `appearance ${value}`,
        label: looks[value],
        more: 'appearance mode colours',
        face: { icon },
        ...(value === appearance ? { hint: t({ message: 'Now', comment: 'Beside the theme that is used' }) } : {}),
        run: () => setAppearance(value),
      }),
    ),
    {
      ...action,
      id: 'profile',
      label: t`Profile settings`,
      more: 'account name theme',
      face: { icon: 'account-circle' },
      run: () => void navigate(PATHS.profile),
    },
    {
      ...action,
      id: 'shortcuts',
      label: t`Keyboard shortcuts`,
      more: 'help keys',
      face: { icon: 'keyboard' },
      ...keysOf('help'),
      after: true,
      run: () => void perform('help'),
    },
    { ...action, id: 'sign out', label: t`Sign out`, more: 'log out leave', face: { icon: 'logout' }, run: () => void signOut() },
  ]
}
