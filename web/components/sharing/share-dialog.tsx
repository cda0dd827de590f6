import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useRef, useState } from 'react'
import { say } from '#language'
import { msg, t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import { newId } from '../../../contract/ids.ts'
import { type Link, LinkFilters } from '../../../contract/links.ts'
import { may } from '../../../contract/policy.ts'
import { filtersAtom, peopleAtom, searchAtom } from '../../atoms/filters.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { makeShareLinkAtom } from '../../atoms/share-links.ts'
import { isFiltering, NO_FILTERS } from '../../lib/filters/content.ts'
import { viewAt } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Notice } from '../../ui/states.tsx'
import { CopyField } from '../fields/copy-field.tsx'
import { InviteDialog } from '../members/invite-dialog.tsx'
import { FormFailure } from '../overlays/form-failure.tsx'
import { useAsk } from '../overlays/overlay-outlet.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useSubmit } from '../overlays/use-submit.ts'
import { NEW_DRAFT, ofPart, requireComplete, settingsOf } from './link-draft.ts'
import { LinkFields } from './link-fields.tsx'
import { filtersText } from './link-words.ts'
import { QrCode } from './qr-code.tsx'

interface ShareDialogProps extends OverlayProps<void> {
  collection: Collection
  /** The items that the link shows; undefined for the collection, or what the filters of the view accept. */
  chosen: { title: string; ids: string[] } | undefined
}

/** Makes a link for people without an account, or leads to an invitation by e-mail. */
export function ShareDialog({ collection, chosen, open, close, onClosed }: ShareDialogProps) {
  const [draft, setDraft] = useState(NEW_DRAFT)
  const [id] = useState(newId)
  const [made, setMade] = useState<Link | null>(null)
  const people = useAtomValue(peopleAtom)
  const store = useStore()
  const [{ filters, searching }] = useState(() => narrowingOf(store))
  const filtered = !chosen && isFiltering(filters)
  const [kind, setKind] = useState<'collection' | 'filter'>('filter')
  const whole = !chosen && !(filtered && kind === 'filter')
  const make = useSetAtom(makeShareLinkAtom)
  const ask = useAsk()
  const inviteNext = useRef(false)
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    const shown = chosen
      ? { kind: 'items' as const, itemIds: chosen.ids }
      : filtered && kind === 'filter'
        ? { kind, filters: LinkFilters.parse(filters) }
        : { kind: 'collection' as const }
    requireComplete(draft, false)
    setMade(await make(collection.id, { id, ...settingsOf(whole ? draft : ofPart(draft), Date.now()), ...shown }))
  })
  if (made?.url)
    return (
      <Dialog
        open={open}
        onClose={close}
        onClosed={onClosed}
        shownOnce
        title={t`The link is ready`}
        description={t`Anyone who has it can open it, without an account. In the settings of the collection you can change or end it.`}
        footer={
          <Button variant="primary" onClick={() => close()}>
            <Trans>Done</Trans>
          </Button>
        }
      >
        <MadeLink url={made.url} title={made.name ?? collection.name} />
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      // The address is shown only once, so the dialog stays until it has come.
      onClose={() => busy || close()}
      onClosed={() => {
        onClosed()
        if (inviteNext.current) void ask(InviteDialog, { collection })
      }}
      title={chosen ? t`Share ${chosen.title}` : t`Share “${collection.name}”`}
      description={t`With a link, which anyone who has it can open without an account.`}
      wrap={(content) => (
        <form ref={formRef} onSubmit={submit} noValidate className="flex min-h-0 flex-col">
          {content}
        </form>
      )}
      footer={
        <>
          <Button disabledReason={busy ? t`The link is being made` : undefined} onClick={() => close()}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" icon="link" loading={busy}>
            <Trans>Create link</Trans>
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        {fields.itemIds || fields.filters ? (
          <Notice tone="danger">{failure?.code === 'not_found' ? say(GONE) : (fields.itemIds ?? fields.filters)}</Notice>
        ) : (
          <FormFailure failure={failure} busy={busy} onRetry={submit} />
        )}
        {!chosen && may(collection.role, 'members.manage') && (
          <InviteInstead
            onInvite={() => {
              inviteNext.current = true
              close()
            }}
          />
        )}
        {filtered && (
          <div className="grid gap-2">
            <Segments
              label={t`What guests see`}
              options={[
                { value: 'filter', label: t`What the filters show` },
                { value: 'collection', label: t`The whole collection` },
              ]}
              value={kind}
              onChange={setKind}
            />
          </div>
        )}
        {!chosen && (
          <p className="text-sm text-pretty text-muted">
            {filtered && kind === 'filter'
              ? t`Guests see what these filters accept: ${filtersText(filters, people)}, also what is added later.`
              : t`Guests see the whole collection, also what is added later.`}
            {searching && ` ${t`Your search is not part of the link.`}`}
          </p>
        )}
        <LinkFields
          draft={whole ? draft : ofPart(draft)}
          onChange={setDraft}
          hasPassword={false}
          errors={fields}
          collection={collection}
          whole={whole}
        />
      </div>
    </Dialog>
  )
}

const GONE = msg`Some of this is no longer in the collection. Close this, and choose again.`

/** Filters and search of the view, as they are when the dialog opens. They are remembered on pages that show no items, but mean nothing there. */
function narrowingOf(store: ReturnType<typeof useStore>) {
  return viewAt(window.location.pathname)?.shows
    ? { filters: store.get(filtersAtom), searching: store.get(searchAtom) !== '' }
    : { filters: NO_FILTERS, searching: false }
}

/** For people who are to add or edit, who need an account. */
function InviteInstead({ onInvite }: { onInvite: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-muted px-4 py-3">
      <p className="min-w-0 flex-1 basis-56 text-sm text-muted">
        <Trans>To let someone edit, invite them instead.</Trans>
      </p>
      <Button size="sm" icon="person-add" onClick={onInvite}>
        <Trans>Invite someone</Trans>
      </Button>
    </div>
  )
}

function MadeLink({ url, title }: { url: string; title: string }) {
  const act = useAct()
  const share = () =>
    act(() =>
      // Closing the phone's sheet rejects, too.
      navigator.share({ title, url }).catch((error: unknown) => {
        if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
      }),
    )
  return (
    <div className="grid gap-5">
      <CopyField
        label={t({ message: 'Link', context: 'noun' })}
        hint={t`Copy it now: it will not be shown again.`}
        value={url}
        copied={t`Link copied`}
      />
      {'share' in navigator && (
        <div>
          <Button icon="share" onClick={() => void share()}>
            <Trans>Send with an app…</Trans>
          </Button>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <QrCode text={url} label={t`QR code of the link`} />
        <p className="min-w-0 flex-1 basis-40 text-sm text-pretty text-muted">
          <Trans>Somebody beside you can open it with the camera of their phone.</Trans>
        </p>
      </div>
    </div>
  )
}
