import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import type { TokenScope } from '../../../contract/tokens.ts'
import { createTokenAtom } from '../../atoms/access.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { CopyField } from '../../components/fields/copy-field.tsx'
import { FormFailure } from '../../components/overlays/form-failure.tsx'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { useReauthentication } from '../../components/session/use-reauthentication.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Select } from '../../ui/select.tsx'

const DAY = 24 * 60 * 60_000
const scopes = (): { value: TokenScope; label: string }[] => [
  { value: 'read', label: t({ message: 'Read', context: 'permission' }) },
  { value: 'write', label: t({ message: 'Read and write', context: 'permission' }) },
]
const daysText = (days: number) => t`${plural(days, { one: '# day', other: '# days' })}`
const lasting = () =>
  [
    { value: '30', label: daysText(30) },
    { value: '90', label: daysText(90) },
    { value: '365', label: t`A year` },
    { value: '', label: t`Until I revoke it` },
  ] as const
type Days = ReturnType<typeof lasting>[number]['value']

/** Creates a token and shows its secret once. A single dialog for both steps, so that the focus returns to the opener. */
export function TokenDialog({ open, close, onClosed }: OverlayProps<void>) {
  const [secret, setSecret] = useState<string | null>(null)
  const form = useTokenForm({ onMade: setSecret, onCancel: () => close() })
  const made = secret !== null && {
    shownOnce: true,
    title: t`Your token`,
    description: t`Copy it now: it will not be shown again. Anyone who has it can act in your name.`,
    children: <CopyField label={t`Access token`} value={secret} copied={t`Token copied`} className="font-mono" />,
    footer: (
      <Button variant="primary" onClick={() => close()}>
        <Trans>Done</Trans>
      </Button>
    ),
  }
  return <Dialog open={open} onClose={close} onClosed={onClosed} {...(made || form)} />
}

/** The form before the token is created. */
function useTokenForm({ onMade, onCancel }: { onMade: (secret: string) => void; onCancel: () => void }) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<TokenScope>('read')
  const [collectionId, setCollectionId] = useState('')
  const [days, setDays] = useState<Days>('90')
  const collections = useAtomValue(collectionsAtom) ?? []
  const create = useSetAtom(createTokenAtom)
  const withReauthentication = useReauthentication()
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    const expiresAt = days ? new Date(Date.now() + Number(days) * DAY).toISOString() : null
    const secret = await withReauthentication(() => create({ name, scope, collectionId: collectionId || null, expiresAt }))
    if (secret !== undefined) onMade(secret)
  })
  return {
    title: t`New access token`,
    description: t`For a script or another app that acts in your name.`,
    wrap: (content: ReactNode) => (
      <form ref={formRef} onSubmit={submit} noValidate className="flex min-h-0 flex-col">
        {content}
      </form>
    ),
    footer: (
      <>
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" variant="primary" loading={busy}>
          <Trans>Create token</Trans>
        </Button>
      </>
    ),
    children: (
      <div className="grid gap-5">
        <FormFailure failure={failure} busy={busy} onRetry={submit} />
        <Field label={t`Name`} hint={t`To help you recognise it later.`} error={fields.name}>
          {(control) => <Input {...control} autoComplete="off" autoFocus value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Segments label={t`Permissions`} options={scopes()} value={scope} onChange={setScope} />
        {collections.length > 0 && (
          <Field
            label={t`Collections`}
            hint={collectionId && t`The token stops working when this collection is deleted.`}
            error={fields.collectionId}
          >
            {(control) => (
              <Select
                {...control}
                value={collectionId}
                onValueChange={setCollectionId}
                options={[{ value: '', label: t`All my collections` }, ...collections.map(({ id, name }) => ({ value: id, label: name }))]}
              />
            )}
          </Field>
        )}
        <Field label={t`Expiry`} error={fields.expiresAt}>
          {(control) => <Select {...control} className="w-56" value={days} onValueChange={setDays} options={lasting()} />}
        </Field>
      </div>
    ),
  }
}
