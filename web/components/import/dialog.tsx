import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { t } from '#say'
import { Trans } from '#say/react'
import { newId } from '../../../contract/ids.ts'
import { may } from '../../../contract/policy.ts'
import { createCollectionAtom } from '../../atoms/change-collections.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import { runImportAtom } from '../../atoms/imports.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import { addErrorToastAtom, addToastAtom } from '../../atoms/toasts.ts'
import { addFilesAtom } from '../../atoms/uploads.ts'
import { filesOfEntries, type GivenFile } from '../../lib/entries.ts'
import { isArchive } from '../../lib/import/archive-name.ts'
import type { ImportReport } from '../../lib/import/handover.ts'
import { planImport } from '../../lib/import/plan.ts'
import { chosen, type ToImport } from '../../lib/import/sources.ts'
import { type ImportPlan, UnreadableError } from '../../lib/import/types.ts'
import { collectionLink } from '../../lib/links.ts'
import { messageOf } from '../../lib/message-of.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Progress } from '../../ui/progress.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useAct } from '../overlays/use-act.ts'
import { ImportChoose } from './choose.tsx'
import { type Destination, destinationFor, ImportFound } from './found.tsx'
import { ImportReasons } from './reasons.tsx'
import { failedWords, importedWords } from './words.ts'

type Step =
  | { at: 'choose' }
  | { at: 'reading'; share: number }
  | { at: 'found'; plan: ImportPlan }
  | { at: 'running'; share: number }
  | { at: 'over'; report: ImportReport; link: string }
  | { at: 'failed'; message: string }

/** Reads the given files, shows what was found, and passes it to the uploads and the mutation queue. */
export function ImportDialog({ source, open, close, onClosed }: { source: ToImport } & OverlayProps<void>) {
  const [step, setStep] = useState<Step>(() => (source.entries || source.files ? { at: 'reading', share: 0 } : { at: 'choose' }))
  const [files, setFiles] = useState<readonly GivenFile[]>([])
  const stop = useRef(new AbortController())
  const busy = step.at === 'running'

  const read = async (pending: Promise<GivenFile[]>) => {
    setStep({ at: 'reading', share: 0 })
    const { signal } = stop.current
    try {
      const found = await pending
      setFiles(found)
      const plan = await planImport(found, { signal, onProgress: throttle((share) => setStep({ at: 'reading', share })) })
      setStep({ at: 'found', plan })
    } catch (error) {
      if (!signal.aborted) setStep({ at: 'failed', message: wordsOf(error) })
    }
  }
  const begin = useRef(read)
  useEffect(() => {
    if (source.entries) void begin.current(filesOfEntries(source.entries))
    else if (source.files) void begin.current(Promise.resolve(chosen(source.files)))
  }, [source])
  // It may be dismissed while it runs: by Back, for example.
  const isOpen = useRef(open)
  isOpen.current = open
  const run = useRun({ stop, isOpen }, setStep, close)
  const [destination, setDestination] = useDestination(step)

  const navigate = useNavigate()
  const leave = () => {
    stop.current.abort()
    close()
    if (step.at === 'over') void navigate(step.link)
  }
  const [single] = files.length === 1 ? files.flatMap(({ file }) => file ?? []) : []
  const keep = useKeepAsFile(single && isArchive(single.name) ? single : undefined)
  return (
    <Dialog
      open={open}
      busy={busy}
      onClose={leave}
      onClosed={onClosed}
      title={t({ message: 'Import', context: 'noun' })}
      {...(step.at === 'choose' && { description: t`Import photos, posts and people from another service or from a Cairn export.` })}
      footer={
        step.at === 'over' ? (
          <Button variant="primary" onClick={leave}>
            <Trans>Done</Trans>
          </Button>
        ) : (
          <>
            {offersFile(step) && keep && (
              <Button
                variant="ghost"
                className="me-auto"
                onClick={() => {
                  keep()
                  close()
                }}
              >
                <Trans>Add the archive as a file</Trans>
              </Button>
            )}
            <Button onClick={leave}>{busy ? t({ message: 'Stop', context: 'verb' }) : t`Cancel`}</Button>
            {step.at === 'found' && destination && (
              <Button
                variant="primary"
                disabledReason={reasonAgainst(step.plan, destination)}
                onClick={() => void run(step.plan, destination)}
              >
                <Trans context="verb">Import</Trans>
              </Button>
            )}
          </>
        )
      }
    >
      {step.at === 'choose' && <ImportChoose onChoose={(files) => void read(files)} />}
      {step.at === 'reading' && <Waiting value={step.share} words={t`Reading files…`} />}
      {step.at === 'found' && destination && <ImportFound plan={step.plan} destination={destination} onDestination={setDestination} />}
      {step.at === 'running' && (
        <Waiting
          value={step.share}
          words={t`Keep this dialog open until all files are read. The import then continues in the background, even after a reload.`}
        />
      )}
      {step.at === 'over' && (
        <div className="grid gap-4">
          <p>{importedWords(step.report)}</p>
          <ImportReasons refused={step.report.failed} open />
        </div>
      )}
      {step.at === 'failed' && (
        <ErrorState title={t`This cannot be imported`} message={step.message} onRetry={() => setStep({ at: 'choose' })} />
      )}
    </Dialog>
  )
}

/** Not for a Takeout: with its photos it may hold mail and passwords. */
const offersFile = (step: Step) => step.at === 'failed' || (step.at === 'found' && step.plan.format !== 'takeout')

function Waiting({ value, words }: { value: number; words: string }) {
  return (
    <div role="status" className="grid gap-3 py-6">
      <p className="text-sm text-muted">{words}</p>
      <Progress value={value} label={words} />
    </div>
  )
}

function reasonAgainst({ posts, assets }: ImportPlan, { id, name }: Destination): string | undefined {
  if (posts.length + assets.length === 0) return t`Nothing to import`
  return id === null && name.trim() === '' ? t`Name the collection first` : undefined
}

function wordsOf(error: unknown): string {
  return error instanceof UnreadableError ? error.message : messageOf(error)
}

/** Limits progress updates: an import can have thousands of steps. */
function throttle(show: (share: number) => void): (share: number) => void {
  let shown = 0
  return (share) => {
    const now = performance.now()
    if (now - shown < 100) return
    shown = now
    show(share)
  }
}

/** The destination, starting with the most likely one. */
function useDestination(step: Step): [Destination | null, (next: Destination) => void] {
  const collections = useAtomValue(collectionsAtom)
  const selectedId = useAtomValue(selectedCollectionIdAtom)
  const [chosenOne, choose] = useState<Destination | null>(null)
  // Created once, so that a retry does not create a second collection.
  const [freshId] = useState(() => newId())
  const plan = step.at === 'found' ? step.plan : null
  const open = (collections ?? []).filter(({ role }) => may(role, 'item.add'))
  return [chosenOne ?? (plan && { newId: freshId, ...destinationFor(plan, open, selectedId) }), choose]
}

interface Refs {
  stop: { current: AbortController }
  isOpen: { current: boolean }
}

/** At the end, a dialog that is not open any more leaves the user where they are, and failures are told in a toast. */
function useRun({ stop, isOpen }: Refs, setStep: (step: Step) => void, close: () => void) {
  const runImport = useSetAtom(runImportAtom)
  const create = useSetAtom(createCollectionAtom)
  const addToast = useSetAtom(addToastAtom)
  const addErrorToast = useSetAtom(addErrorToastAtom)
  const navigate = useNavigate()
  return async (plan: ImportPlan, { id, newId, name }: Destination) => {
    const { signal } = stop.current
    setStep({ at: 'running', share: 0 })
    try {
      const { sourceId: _, ...settings } = plan.collection ?? {}
      const collectionId = id ?? (await create({ ...settings, id: newId, name })).id
      const report = await runImport(plan, collectionId, { signal, onProgress: throttle((share) => setStep({ at: 'running', share })) })
      const link = collectionLink(plan.posts.length > 0 ? 'timeline' : 'media', collectionId)
      if (report.failed.length > 0)
        return isOpen.current ? setStep({ at: 'over', report, link }) : void addErrorToast(importedWords(report), failedWords(report))
      addToast({ id: 'import', title: importedWords(report), icon: 'check-circle' })
      if (!isOpen.current) return
      // Another page dismisses dialogs.
      void navigate(link)
      close()
    } catch (error) {
      if (signal.aborted) return
      if (isOpen.current) setStep({ at: 'failed', message: wordsOf(error) })
      else addErrorToast(t`This cannot be imported`, wordsOf(error))
    }
  }
}

/** Offers to upload an archive as a file, where the role allows it. */
function useKeepAsFile(file: File | undefined) {
  const addFiles = useSetAtom(addFilesAtom)
  const act = useAct()
  const selectedId = useAtomValue(selectedCollectionIdAtom)
  const open = useAtomValue(collectionsAtom)?.find(({ id }) => id === selectedId)
  return file && open && may(open.role, 'item.add') ? () => void act(() => addFiles(open.id, [file])) : null
}
