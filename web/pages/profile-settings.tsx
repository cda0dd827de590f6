import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useLocation } from 'react-router'
import { t } from '#say'
import { Trans } from '#say/react'
import { updateProfileAtom } from '../atoms/change-profile.ts'
import { makesFilmsAtom } from '../atoms/film-setting.ts'
import { ensureFreshProfileAtom, profileAtom } from '../atoms/profile.ts'
import { singleKeysAtom } from '../atoms/shortcuts.ts'
import { fetchSignInWaysAtom, signInWaysAtom } from '../atoms/sign-in-ways.ts'
import { ExportList } from '../components/collections/export-list.tsx'
import { lazyPart, OptionalPart } from '../components/optional-part.tsx'
import { useOpen } from '../components/overlays/use-open.ts'
import { SettingsSection } from '../components/settings-section.tsx'
import { useSignOut } from '../components/shell/person-menu.tsx'
import { ViewHeader } from '../components/shell/view-header.tsx'
import { StorageUsage } from '../components/storage/storage-usage.tsx'
import { TRASH_OPEN } from '../components/trash/host.tsx'
import { useSetting } from '../components/use-setting.ts'
import { changed } from '../components/use-view-param.ts'
import { perform } from '../lib/shortcuts.ts'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Switch } from '../ui/checkbox.tsx'
import { Skeleton } from '../ui/states.tsx'
import { Access } from './profile/access.tsx'
import { Appearance } from './profile/appearance.tsx'
import { DatesAndTimes } from './profile/dates.tsx'
import { LanguageSetting } from './profile/language.tsx'
import { Notifications } from './profile/notifications.tsx'
import { SectionIndex } from './profile/section-index.tsx'
import { SignIn } from './profile/sign-in.tsx'
import { You } from './profile/you.tsx'

interface Part {
  id: string
  title: string
  description?: string
  content: ReactNode
}

export function ProfileSettingsPage() {
  const { password } = useAtomValue(signInWaysAtom)
  const fetchWays = useSetAtom(fetchSignInWaysAtom)
  useEffect(() => {
    void fetchWays().catch(() => undefined)
  }, [fetchWays])
  const parts = useMemo(() => partsOf(password), [password])
  return (
    <>
      <ViewHeader title={t`Profile settings`} />
      <div className="max-w-6xl gap-8 px-4 pb-16 lg:grid lg:grid-cols-[10.5rem_minmax(0,1fr)] lg:px-8">
        <SectionIndex sections={parts} />
        <div className="min-w-0">
          {parts.map(({ id, title, description, content }) => (
            <SettingsSection key={id} anchor={id} title={title} description={description}>
              {content}
            </SettingsSection>
          ))}
        </div>
      </div>
    </>
  )
}

function partsOf(password: boolean): Part[] {
  return [
    {
      id: 'you',
      title: t({ message: 'You', context: 'heading', comment: 'The settings of the name and picture' }),
      description: t`How others in your collections see you.`,
      content: <You />,
    },
    { id: 'sign-in', title: password ? t`E-mail and password` : t`E-mail`, content: <SignIn password={password} /> },
    {
      id: 'appearance',
      title: t`Appearance`,
      description: t`Light or dark mode is saved on this device, your colours in your account.`,
      content: <Appearance />,
    },
    {
      id: 'language',
      title: t`Language`,
      description: t`The language of Cairn on all your devices, and of its mails and notifications.`,
      content: <LanguageSetting />,
    },
    {
      id: 'dates',
      title: t`Dates and times`,
      description: t`How they are written for you, here, in mails and in exports. Fields to type a date in follow your browser.`,
      content: <DatesAndTimes />,
    },
    {
      id: 'privacy',
      title: t`Privacy`,
      description: t`Others in a collection can see that you are there, and which view you have open.`,
      content: <PresenceSwitch />,
    },
    {
      id: 'home-zones',
      title: t`Home zones`,
      description: t`Inside these circles, others see only the town where your items are. You, and the admins and owners of the collections they are in, see the exact place.`,
      content: <HomeZonesPart />,
    },
    {
      id: 'notifications',
      title: t`Notifications`,
      description: t`About activity in your collections while you are away.`,
      content: <Notifications />,
    },
    { id: 'keyboard', title: t`Keyboard`, description: t`Press ? anywhere to see all shortcuts.`, content: <Keyboard /> },
    {
      id: 'access',
      title: t`Access`,
      description: t`Everything that opens your collections. What you revoke stops working at once.`,
      content: <Access />,
    },
    {
      id: 'videos',
      title: t`Videos`,
      description: t`Saved on this device.`,
      content: <Videos />,
    },
    {
      id: 'storage',
      title: t`Storage`,
      description: t`Used by what you have added to any collection. Items in the trash count until they are deleted.`,
      content: <Storage />,
    },
    {
      id: 'export',
      title: t({ message: 'Export', context: 'noun' }),
      description: t`A ZIP file of each collection that you own, with every original. You can export other collections in their settings.`,
      content: <ExportList />,
    },
    { id: 'account', title: t`Account`, content: <Account /> },
  ]
}

const HomeZones = lazyPart(async () => (await import('./profile/home-zones.tsx')).HomeZones)

function HomeZonesPart() {
  return (
    <OptionalPart waiting={<Skeleton className="h-12" />}>
      <HomeZones />
    </OptionalPart>
  )
}

function Keyboard() {
  const [single, setSingle] = useAtom(singleKeysAtom)
  return (
    <div className="grid justify-items-start gap-4">
      <Switch
        checked={single}
        onCheckedChange={setSingle}
        label={t`Single-key shortcuts`}
        hint={t`Turn these off if keys are pressed by accident or by voice input. Shortcuts with Ctrl or ⌘ still work.`}
        className="w-full"
      />
      <Button icon="keyboard" aria-haspopup="dialog" onClick={() => void perform('help')}>
        <Trans>Show all shortcuts</Trans>
      </Button>
    </div>
  )
}

function Videos() {
  const [makes, setMakes] = useAtom(makesFilmsAtom)
  return (
    <Switch
      label={t`Make videos playable for everyone`}
      hint={t`Once everything is uploaded, this device makes a version of each video that most browsers cannot play, so that they can. It counts toward your storage. The original stays as it is, and is what others download.`}
      checked={makes}
      onCheckedChange={setMakes}
    />
  )
}

const loadUnattached = async () => (await import('../components/storage/unattached-dialog.tsx')).UnattachedDialog

function Storage() {
  const { pathname, search } = useLocation()
  const open = useOpen()
  return (
    <StorageUsage advice={t`Move what you no longer need to the trash and delete it there, or ask the people who run this site for more.`}>
      <div className="flex flex-wrap gap-3">
        <ButtonLink preventScrollReset to={{ pathname, search: changed(search, TRASH_OPEN) }} icon="delete">
          <Trans>Open trash</Trans>
        </ButtonLink>
        <Button icon="collections-bookmark" onClick={() => void open(loadUnattached, {})}>
          <Trans>Items in no collection…</Trans>
        </Button>
      </div>
    </StorageUsage>
  )
}

const loadDelete = async () => (await import('./profile/delete-dialog.tsx')).DeleteDialog

function Account() {
  const signOut = useSignOut()
  const open = useOpen()
  return (
    <div className="flex flex-wrap gap-3">
      <Button icon="logout" onClick={() => void signOut()}>
        <Trans>Sign out</Trans>
      </Button>
      <Button variant="danger" onClick={() => void open(loadDelete, {})}>
        <Trans>Delete account…</Trans>
      </Button>
    </div>
  )
}

/** Stored by the server, which then does not show this user to others. */
function PresenceSwitch() {
  const profile = useAtomValue(profileAtom)
  const update = useSetAtom(updateProfileAtom)
  const ensureFresh = useSetAtom(ensureFreshProfileAtom)
  useEffect(() => void ensureFresh(), [ensureFresh])
  const [shares, choose] = useSetting(profile?.sharesPresence ?? true, (sharesPresence) => update({ sharesPresence }))
  return (
    <Switch
      label={t`Show others what I am looking at`}
      hint={t`When off, others do not see that you are there or editing. You still see them, and your changes still reach them at once.`}
      checked={shares}
      disabled={profile === null}
      onCheckedChange={choose}
    />
  )
}
