import { t } from '#say'
import { Trans } from '#say/react'
import { filesOfEntries, type GivenFile } from '../../lib/entries.ts'
import { chosen } from '../../lib/import/sources.ts'
import { pickFiles, pickFolder } from '../../lib/pick-files.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

const kinds = () => [
  { id: 'cairn', name: 'Cairn', hint: t`ZIP file of an export` },
  { id: 'google', name: 'Google Photos', hint: t`All ZIP or TGZ files of a Takeout together` },
  { id: 'apple', name: 'Apple Photos', hint: t`A folder of exported originals with XMP files` },
  { id: 'immich', name: 'Immich', hint: t`Library folder with XMP files` },
  { id: 'journals', name: 'Day One, Journey', hint: t`ZIP file of the export, in JSON` },
  { id: 'polarsteps', name: 'Polarsteps', hint: t`ZIP file of your data` },
  { id: 'whatsapp', name: 'WhatsApp', hint: t`ZIP file of an exported chat` },
  { id: 'other', name: t`Anything else`, hint: t`A folder or ZIP of photos and files` },
]

/** The first step of an import: supported formats, and ways to choose files. */
export function ImportChoose({ onChoose }: { onChoose: (files: Promise<GivenFile[]>) => void }) {
  const take = async (choice: Promise<File[]>) => {
    const files = await choice
    if (files.length > 0) onChoose(Promise.resolve(chosen(files)))
  }
  return (
    <div className="grid gap-5">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a place to drop on; its buttons do the same for the keyboard */}
      <div
        className="grid justify-items-center gap-4 rounded-xl border-2 border-dashed border-strong px-4 py-8 text-center"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          event.stopPropagation()
          const { items, files } = event.dataTransfer
          const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
          if (entries.length > 0) onChoose(filesOfEntries(entries))
          else if (files.length > 0) onChoose(Promise.resolve(chosen([...files])))
        }}
      >
        <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
          <Icon name="archive" size={24} />
        </span>
        <p className="font-medium">
          <Trans>Drop a ZIP or a folder here</Trans>
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={() => void take(pickFiles())}>
            <Trans>Choose files</Trans>
          </Button>
          <Button onClick={() => void take(pickFolder())}>
            <Trans>Choose a folder</Trans>
          </Button>
        </div>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {kinds().map(({ id, name, hint }) => (
          <div key={id} className="col-span-2 grid grid-cols-subgrid">
            <dt className="font-medium">{name}</dt>
            <dd className="text-muted">{hint}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
