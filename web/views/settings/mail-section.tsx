import { useSetAtom } from 'jotai'
import { useCallback, useEffect, useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { MailAddress } from '../../../contract/mail-addresses.ts'
import { may } from '../../../contract/policy.ts'
import { fetchMailAddressAtom, makeMailAddressAtom, removeMailAddressAtom } from '../../atoms/mail-address.ts'
import { CopyField } from '../../components/fields/copy-field.tsx'
import { type Confirmation, useConfirm } from '../../components/overlays/confirm-dialog.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { messageOf } from '../../lib/message-of.ts'
import { Button } from '../../ui/button.tsx'
import { FailedNotice, Notice } from '../../ui/states.tsx'

/** The address for posts by mail, for those who may add: admins turn it on and off. Nothing where the site takes no mails, or for writers where it is off. */
export function MailSection({ collection }: { collection: Collection }) {
  const { id, role } = collection
  const fetchMail = useSetAtom(fetchMailAddressAtom)
  const [mail, setMail] = useState<MailAddress>()
  const [failure, setFailure] = useState('')
  const load = useCallback(() => {
    fetchMail(id).then(setMail, (error: unknown) => setFailure(messageOf(error)))
  }, [fetchMail, id])
  useEffect(() => {
    load()
    // No live message says that an admin has changed the address.
    addEventListener('focus', load)
    return () => removeEventListener('focus', load)
  }, [load])
  const mayChange = may(role, 'collection.edit')
  if (mail ? !mail.available || (mail.address === null && !mayChange) : !failure) return null
  return (
    <SettingsSection
      title={t`Post by mail`}
      anchor="mail"
      description={t`A mail to the address of this collection becomes a post: its subject is the title, and its photos and files are added.`}
    >
      {mail ? (
        <div className="grid gap-4">
          {mail.address !== null && <Address address={mail.address} sender={mail.sender} />}
          {mayChange && <Controls id={id} address={mail.address} onChange={(address) => setMail({ ...mail, address })} />}
        </div>
      ) : (
        <FailedNotice message={failure} onRetry={load} />
      )}
    </SettingsSection>
  )
}

function Address({ address, sender: { email, confirmed } }: { address: string; sender: MailAddress['sender'] }) {
  return (
    <>
      <CopyField
        label={t`Address`}
        hint={t`Write from ${email}, up to ${{ size: LIMITS.mailSize / 1024 ** 2 }} MB a mail. Only members with a confirmed address can write to it, and guests who may add photos and have confirmed theirs.`}
        value={address}
        copied={t`Address copied`}
        quiet
      />
      {!confirmed && (
        <Notice tone="warning">
          <Trans>{email} is not confirmed yet, so your mails would be refused. Open the link in the mail that we sent to it.</Trans>
        </Notice>
      )}
    </>
  )
}

interface ControlsProps {
  id: string
  address: string | null
  onChange: (address: string | null) => void
}

function Controls({ id, address, onChange }: ControlsProps) {
  const make = useSetAtom(makeMailAddressAtom)
  const remove = useSetAtom(removeMailAddressAtom)
  const act = useAct()
  const confirm = useConfirm()
  const [busy, setBusy] = useState(false)
  const lasting = useRef<HTMLButtonElement>(null)
  const create = async () => {
    if (address !== null && !(await confirm(replacing()))) return
    setBusy(true)
    await act(async () => onChange(await make(id)))
    setBusy(false)
  }
  const end = async () => {
    if (!(await confirm(ending()))) return
    await act(async () => {
      await remove(id)
      onChange(null)
      // The button that had the focus goes.
      lasting.current?.focus()
    })
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button ref={lasting} icon={address === null ? 'mail' : 'refresh'} loading={busy} onClick={() => void create()}>
        {address === null ? t`Turn on` : t`Replace address`}
      </Button>
      {address !== null && (
        <Button variant="ghost" onClick={() => void end()}>
          <Trans>Turn off</Trans>
        </Button>
      )}
    </div>
  )
}

const replacing = (): Confirmation => ({
  title: t`Replace the address?`,
  description: t`Mails to the present address are refused from now on. Give the new one to those who write.`,
  confirm: t`Replace`,
})
const ending = (): Confirmation => ({
  title: t`Turn off posts by mail?`,
  description: t`Mails to the address are refused. If you turn it on again, the address is a new one.`,
  confirm: t`Turn off`,
  danger: true,
})
