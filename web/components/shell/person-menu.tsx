import { type createStore, useAtom, useAtomValue, useSetAtom, useStore } from 'jotai'
import { useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import { personNameAtom } from '../../atoms/profile.ts'
import { sessionUserAtom, sessionUserIdAtom, signOutAtom } from '../../atoms/session.ts'
import { type Appearance, appearanceAtom } from '../../atoms/theme.ts'
import { addErrorToastAtom } from '../../atoms/toasts.ts'
import { PATHS } from '../../lib/links.ts'
import { messageOf } from '../../lib/message-of.ts'
import { countDrafts, forgetDrafts } from '../../lib/posts/drafts.ts'
import { canInstall, installApp, onCanInstall } from '../../lib/pwa/install.ts'
import { perform } from '../../lib/shortcuts.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx'
import type { Confirmation } from '../overlays/confirm-dialog.tsx'
import { useAsk } from '../overlays/overlay-outlet.tsx'
import { UserAvatar } from '../user-avatar.tsx'

type Store = ReturnType<typeof createStore>

export const appearanceOptions = (): { value: Appearance; label: string; icon: IconName }[] => [
  { value: 'system', label: t({ message: 'System', comment: 'Light or dark, as the device is set' }), icon: 'computer' },
  { value: 'light', label: t({ message: 'Light', context: 'appearance' }), icon: 'light-mode' },
  { value: 'dark', label: t({ message: 'Dark', context: 'appearance' }), icon: 'dark-mode' },
]

/** The signed-in user. `compact` shows the picture alone. */
export function PersonMenu({ compact = false }: { compact?: boolean }) {
  const name = useAtomValue(personNameAtom)
  const user = useAtomValue(sessionUserAtom)
  const [appearance, setAppearance] = useAtom(appearanceAtom)
  const signOut = useSignOut()
  const installable = useSyncExternalStore(onCanInstall, canInstall)
  const trigger = (
    <button
      type="button"
      className="flex min-h-11 w-full items-center gap-2.5 rounded-md p-1.5 text-start transition-colors duration-(--fast) hover:bg-muted aria-expanded:bg-muted"
    >
      <UserAvatar userId={user?.id} name={name} version={null} size="md" />
      <span className={compact ? 'sr-only' : 'relative min-w-0 grow truncate text-sm font-medium'}>
        <Trans>
          {name}
          <span className="sr-only">: profile, appearance, sign out</span>
        </Trans>
      </span>
      {!compact && <Icon name="more-horiz" size={18} className="text-(--text-muted)" />}
    </button>
  )
  return (
    <Menu trigger={trigger} side={compact ? 'bottom' : 'top'} align={compact ? 'end' : 'start'} className="w-60">
      <MenuLabel>
        <span className="block truncate text-sm font-medium text-(--text)" dir="auto">
          {name}
        </span>
        {user && user.email !== name && <span className="block truncate">{user.email}</span>}
      </MenuLabel>
      <MenuSeparator />
      <MenuItem asChild>
        <Link to={PATHS.profile}>
          <Icon name="account-circle" size={18} className="text-(--text-muted)" />
          <Trans>Profile settings</Trans>
        </Link>
      </MenuItem>
      <MenuItem icon="keyboard" onSelect={() => void perform('help')}>
        <Trans>Keyboard shortcuts</Trans>
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>
        <Trans>Appearance</Trans>
      </MenuLabel>
      <MenuChoice value={appearance} onChange={setAppearance} options={appearanceOptions()} />
      <MenuSeparator />
      {installable && (
        <MenuItem icon="download" onSelect={() => void installApp()}>
          <Trans>Install Cairn</Trans>
        </MenuItem>
      )}
      <MenuItem icon="logout" onSelect={() => void signOut()}>
        <Trans>Sign out</Trans>
      </MenuItem>
    </Menu>
  )
}

/**
 * Signs out, after a confirmation if unsaved work would be lost. The local session always ends; a message appears when the server could not be
 * reached.
 */
export function useSignOut() {
  const signOut = useSetAtom(signOutAtom)
  const addError = useSetAtom(addErrorToastAtom)
  const store = useStore()
  const ask = useAsk()
  return async () => {
    const userId = store.get(sessionUserIdAtom)
    const drafts = userId ? countDrafts(userId) : 0
    const changes = drafts + (await countChanges(store).catch(() => 0))
    const files = await countFiles(store).catch(() => 0)
    // If the dialog cannot be loaded, unsaved changes and drafts stay on the device for this user.
    const dialog = changes + files > 0 ? await import('../overlays/confirm-dialog.tsx').catch(() => null) : null
    if (dialog) {
      if ((await ask(dialog.ConfirmDialog, lossOf(changes, files))) !== true) return
      await discardChanges(store).catch(() => undefined)
      if (userId) forgetDrafts(userId)
    }
    await signOut().catch((error: unknown) =>
      addError(t`You are signed out on this device only`, `${messageOf(error)} ${t`The server is informed as soon as it can be reached.`}`),
    )
  }
}

const loadOutbox = () => import('../../atoms/outbox-state.ts')

async function countChanges(store: Store): Promise<number> {
  return store.set((await loadOutbox()).countUnsavedAtom)
}

async function discardChanges(store: Store): Promise<void> {
  await store.set((await loadOutbox()).discardUnsavedAtom)
}

/** Files that the device could not store. Without uploads, the upload code was never loaded. */
async function countFiles(store: Store): Promise<number> {
  return store.get((await import('../../atoms/uploads.ts')).losableFilesAtom)
}

function lossOf(changes: number, files: number): Confirmation {
  return {
    title: titleOf(changes, files),
    description:
      changes + files === 1
        ? t`It is kept on this device only. If you sign out now, it is lost.`
        : t`They are kept on this device only. If you sign out now, they are lost.`,
    confirm: t`Discard and sign out`,
    danger: true,
  }
}

function titleOf(changes: number, files: number): string {
  if (files === 0) return t`${plural(changes, { one: '# change has not been saved yet', other: '# changes have not been saved yet' })}`
  if (changes === 0) return t`${plural(files, { one: '# file has not been saved yet', other: '# files have not been saved yet' })}`
  return t`${plural(changes, { one: '# change', other: '# changes' })} and ${plural(files, { one: '# file', other: '# files' })} have not been saved yet`
}
