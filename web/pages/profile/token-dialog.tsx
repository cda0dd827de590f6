import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'
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
const SCOPES: { value: TokenScope; label: string }[] = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Read and write' },
]
const LASTING = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'Until I revoke it' },
] as const
type Days = (typeof LASTING)[number]['value']

/** Creates a token and shows its secret once. A single dialog for both steps, so that the focus returns to the opener. */
export function TokenDialog({ open, close, onClosed }: OverlayProps<void>) {
  const [secret, setSecret] = useState<string | null>(null)
  const form = useTokenForm({ onMade: setSecret, onCancel: () => close() })
  const made = secret !== null && {
    shownOnce: true,
    title: 'Your token',
    description: 'Copy it now: it will not be shown again. Anyone who has it can act in your name.',
    children: <CopyField label="Access token" value={secret} copied="Token copied" className="font-mono" />,
    footer: (
      <Button variant="primary" onClick={() => close()}>
        Done
      </Button>
    ),
  }
  return <Dialog open={open} onOpenChange={(next) => next || close()} onClosed={onClosed} {...(made || form)} />
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
    title: 'New access token',
    description: 'For a script or another app that acts in your name.',
    wrap: (content: ReactNode) => (
      <form ref={formRef} onSubmit={submit} noValidate className="flex min-h-0 flex-col">
        {content}
      </form>
    ),
    footer: (
      <>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" loading={busy}>
          Create token
        </Button>
      </>
    ),
    children: (
      <div className="grid gap-5">
        <FormFailure failure={failure} busy={busy} onRetry={submit} />
        <Field label="Name" hint="To help you recognise it later." error={fields.name}>
          {(control) => <Input {...control} autoComplete="off" autoFocus value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Segments label="Permissions" options={SCOPES} value={scope} onChange={setScope} />
        {collections.length > 0 && (
          <Field
            label="Collections"
            hint={collectionId && 'The token stops working when this collection is deleted.'}
            error={fields.collectionId}
          >
            {(control) => (
              <Select
                {...control}
                value={collectionId}
                onValueChange={setCollectionId}
                options={[{ value: '', label: 'All my collections' }, ...collections.map(({ id, name }) => ({ value: id, label: name }))]}
              />
            )}
          </Field>
        )}
        <Field label="Expiry" error={fields.expiresAt}>
          {(control) => <Select {...control} className="w-56" value={days} onValueChange={setDays} options={LASTING} />}
        </Field>
      </div>
    ),
  }
}
