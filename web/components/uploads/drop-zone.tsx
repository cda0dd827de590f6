import { useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useEffect, useState } from 'react'
import { t } from '#say'
import { addErrorToastAtom } from '../../atoms/toasts.ts'
import { dropClaimedAtom } from '../../atoms/uploads.ts'
import type { GivenFile } from '../../lib/entries.ts'
import { nameIn } from '../../lib/import/paths.ts'
import { carriesFiles, droppedFiles } from '../../lib/pick-files.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { importOf, useImport } from '../import/launch.ts'
import { useAddFiles } from './use-add-files.ts'

interface DropZoneProps {
  /** Receives the files instead of the collection: the form of a post in front of the view. */
  toPost?: ((files: readonly File[]) => void) | undefined
}

/** Accepts files dropped or pasted anywhere in an open collection, and shows where they will go while they are dragged over the window. */
export function DropZone({ toPost }: DropZoneProps) {
  const claimed = useAtomValue(dropClaimedAtom)
  return toPost || !claimed ? <Zone toPost={toPost} /> : null
}

function Zone({ toPost }: DropZoneProps) {
  const { allowed, name, add: addToCollection } = useAddFiles()
  const add = toPost ?? addToCollection
  const startImport = useImport()
  const [over, setOver] = useState(false)
  const take = useSetAtom(dropClaimedAtom)
  const addError = useSetAtom(addErrorToastAtom)
  const own = toPost !== undefined
  useEffect(() => {
    if (!own) return
    take(true)
    return () => take(false)
  }, [own, take])

  const addGiven = useCallback(
    (given: readonly GivenFile[]) => {
      const title = given.flatMap(({ path, file }) => (file ? [] : nameIn(path))).join(', ')
      if (title) addError(t`${title} could not be added`, t`It could not be read. Is the file still where it was?`)
      add(given.flatMap(({ file }) => file ?? []))
    },
    [add, addError],
  )

  useEffect(() => {
    const listening = new AbortController()
    // Entering a child also fires `dragleave` on its parent, so the depth decides.
    let depth = 0
    const on = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void) =>
      addEventListener(type, listener, listening)
    on('dragenter', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      depth++
      setOver(true)
    })
    on('dragover', (event) => {
      if (!carriesFiles(event.dataTransfer) || !event.dataTransfer) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    })
    on('dragleave', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      depth--
      if (depth <= 0) setOver(false)
    })
    on('drop', (event) => {
      if (!carriesFiles(event.dataTransfer) || !event.dataTransfer) return
      event.preventDefault()
      depth = 0
      setOver(false)
      const archive = own || !allowed ? null : importOf(event.dataTransfer)
      if (archive) startImport(archive)
      else void droppedFiles(event.dataTransfer).then(addGiven)
    })
    on('paste', (event) => {
      const files = [...(event.clipboardData?.files ?? [])]
      // Word processors attach an image of the copied text.
      const written = event.target instanceof HTMLElement && event.target.isContentEditable && event.clipboardData?.getData('text/plain')
      if (files.length > 0 && !written) add(files)
    })
    return () => listening.abort()
  }, [add, addGiven, own, allowed, startImport])

  if (!over) return null
  return (
    <div
      className={cx(
        'pointer-events-none fixed inset-0 z-50 grid animate-fade-in place-items-center bg-(--bg)/80 p-4 backdrop-blur-xs',
        !own && 'lg:start-(--rail-width) lg:in-data-[rail=narrow]:start-(--rail-narrow)',
      )}
    >
      <div
        className={cx('grid size-full place-items-center rounded-2xl border-2 border-dashed', allowed ? 'border-accent' : 'border-strong')}
      >
        <div className="grid justify-items-center gap-3 text-center">
          <span
            className={cx('grid size-16 place-items-center rounded-full', allowed ? 'bg-accent-soft text-accent' : 'bg-muted text-muted')}
          >
            <Icon name={allowed ? 'cloud-upload' : 'lock'} size={32} />
          </span>
          <p className="text-lg font-semibold">
            {own
              ? allowed
                ? t`Add to this post`
                : t`You cannot add to this post`
              : allowed
                ? t`Add to ${name}`
                : t`You cannot add to ${name}`}
          </p>
          <p className="text-muted">
            {allowed ? t`Photos, videos and files of any kind` : t`An admin or the owner can make you a writer.`}
          </p>
        </div>
      </div>
    </div>
  )
}
