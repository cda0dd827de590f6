import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { t } from '#say'
import { Plural, Trans } from '#say/react'
import type { Collection } from '../../contract/collections.ts'
import { may } from '../../contract/policy.ts'
import type { PostType } from '../../contract/posts.ts'
import { collectionsAtom, collectionsErrorAtom, fetchAllAtom } from '../atoms/collections.ts'
import { selectCollectionAtom } from '../atoms/selected-collection.ts'
import { addSharedAtom, discardSharedAtom, recallSharedAtom, sharedAtom } from '../atoms/shared.ts'
import { useAsk } from '../components/overlays/overlay-outlet.tsx'
import { useAct } from '../components/overlays/use-act.ts'
import { loadNewPost } from '../components/posts/post-dialogs.ts'
import { SETTINGS_PAGE } from '../components/settings-section.tsx'
import { ViewHeader } from '../components/shell/view-header.tsx'
import { useObjectUrl } from '../components/use-object-url.ts'
import { collectionLink, PATHS } from '../lib/links.ts'
import { countText } from '../lib/media-text.ts'
import type { Shared } from '../lib/pwa/shared.ts'
import { readSelectedId } from '../lib/storage.ts'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState, ErrorState, Notice, Skeleton } from '../ui/states.tsx'

/** Chooses where shared photos, files and text from another app go. */
export function SharePage() {
  const shared = useAtomValue(sharedAtom)
  const collections = useAtomValue(collectionsAtom)
  const error = useAtomValue(collectionsErrorAtom)
  const retry = useSetAtom(fetchAllAtom)
  const recall = useSetAtom(recallSharedAtom)
  useEffect(() => {
    void recall()
  }, [recall])
  const open = collections?.filter(({ role }) => may(role, 'item.add')) ?? null
  return (
    <>
      <ViewHeader title={t`Add to a collection`} />
      <div className={SETTINGS_PAGE}>
        {open === null && error ? (
          <ErrorState title={t`Your collections could not be loaded`} message={error} onRetry={() => void retry()} />
        ) : shared === 'unknown' || open === null ? (
          <Skeleton className="h-48 max-w-xl" />
        ) : shared === null ? (
          <Nothing />
        ) : open.length === 0 ? (
          <EmptyState icon="collections-bookmark" title={t`No collection to add to`} action={<ToCollections />}>
            <Trans>The shared items stay on this device for ten minutes.</Trans>
          </EmptyState>
        ) : (
          <ChooseCollection shared={shared} collections={open} />
        )}
      </div>
    </>
  )
}

function Nothing() {
  return (
    <EmptyState icon="photo-library" title={t`Nothing was shared`} action={<ToCollections />}>
      <Trans>Share photos, files or text from another app and choose Cairn. What is not added within ten minutes is removed.</Trans>
    </EmptyState>
  )
}

function ToCollections() {
  return (
    <ButtonLink to={PATHS.collections}>
      <Trans>All collections</Trans>
    </ButtonLink>
  )
}

const NOTE: { type: PostType } = { type: 'note' }

function ChooseCollection({ shared, collections }: { shared: Shared; collections: Collection[] }) {
  const last = readSelectedId()
  const [chosen, setId] = useState(last)
  // A collection that was chosen may be gone by now.
  const id = (collections.find((one) => one.id === chosen) ?? collections[0])?.id ?? ''
  const [busy, setBusy] = useState(false)
  const addShared = useSetAtom(addSharedAtom)
  const discard = useSetAtom(discardSharedAtom)
  const select = useSetAtom(selectCollectionAtom)
  const navigate = useNavigate()
  const ask = useAsk()
  const act = useAct()
  const add = async () => {
    setBusy(true)
    const done = await act(async () => {
      const writes = await addShared(id)
      if (writes) {
        select(id)
        // Opened here, because another page would close it.
        await ask(await loadNewPost(), NOTE)
      }
      await navigate(collectionLink(writes ? 'timeline' : 'media', id), { replace: true })
      await discard()
    })
    if (!done) setBusy(false)
  }
  return (
    <div className="grid max-w-xl gap-6">
      <SharedFiles files={shared.files} />
      {shared.missing > 0 && (
        <Notice tone="warning">
          <Plural
            value={shared.missing}
            one="# file is not here: this device has no room to keep all of it. Free up space, then share again."
            other="# files are not here: this device has no room to keep all of it. Free up space, then share again."
          />
        </Notice>
      )}
      <SharedWords title={shared.title} lines={shared.lines} />
      <Field label={t`Collection`}>
        {(control) => (
          <Select
            {...control}
            value={id}
            onValueChange={setId}
            options={collections.map(({ id: value, name }) => ({ value, label: name }))}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" icon="add" loading={busy} onClick={() => void add()}>
          <Trans>Add</Trans>
        </Button>
        <Button variant="ghost" onClick={() => void discard()}>
          <Trans>Discard</Trans>
        </Button>
      </div>
    </div>
  )
}

/** Further files are only counted. */
const FACES = 8

function SharedFiles({ files }: { files: readonly File[] }) {
  if (files.length === 0) return null
  return (
    <section aria-label={countText(files.length, 'file')}>
      <ul className="grid grid-cols-4 gap-2">
        {files.slice(0, FACES).map((file, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two files may have one name
          <SharedFile key={n} file={file} />
        ))}
      </ul>
      {files.length > FACES && (
        <p className="mt-2 text-sm text-muted">
          <Plural value={files.length - FACES} one="and # more" other="and # more" />
        </p>
      )}
    </section>
  )
}

function SharedFile({ file }: { file: File }) {
  const url = useObjectUrl(file)
  const picture = file.type.startsWith('image/') && url !== undefined
  return (
    <li className="grid aspect-square place-items-center overflow-hidden rounded-lg border bg-muted">
      {picture ? (
        <img src={url} alt={file.name} className="size-full object-cover" />
      ) : (
        <span className="grid min-w-0 max-w-full justify-items-center gap-1 px-2 text-xs text-muted">
          <Icon name={file.type.startsWith('video/') ? 'movie' : 'draft'} size={24} />
          <span className="max-w-full truncate" dir="auto">
            {file.name}
          </span>
        </span>
      )}
    </li>
  )
}

function SharedWords({ title, lines }: Pick<Shared, 'title' | 'lines'>) {
  if (title === '' && lines.length === 0) return null
  return (
    <section aria-label={t`Text`} className="grid gap-1 rounded-lg border bg-raised p-4 text-sm">
      {title && <p className="font-medium wrap-anywhere">{title}</p>}
      {lines.map((line) => (
        <p key={line} dir="auto" className="wrap-anywhere">
          {line}
        </p>
      ))}
    </section>
  )
}
