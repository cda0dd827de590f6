import { chosen, filesOfEntries, type GivenFile } from '../../lib/import/sources.ts'
import { pickFiles, pickFolder } from '../../lib/pick-files.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

const KINDS: [name: string, hint: string][] = [
  ['Cairn', 'ZIP file of an export'],
  ['Google Photos', 'All ZIP or TGZ files of a Takeout together'],
  ['Apple Photos', 'A folder of exported originals with XMP files'],
  ['Immich', 'Library folder with XMP files'],
  ['Day One, Journey', 'ZIP file of the export, in JSON'],
  ['Polarsteps', 'ZIP file of your data'],
  ['WhatsApp', 'ZIP file of an exported chat'],
  ['Anything else', 'A folder or ZIP of photos and files'],
]

/** The first step of an import: supported formats, and ways to choose files. */
export function ImportChoose({ onChoose }: { onChoose: (files: GivenFile[]) => void }) {
  const take = async (choice: Promise<File[]>) => {
    const files = await choice
    if (files.length > 0) onChoose(chosen(files))
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
          if (entries.length > 0) void filesOfEntries(entries).then(onChoose)
          else if (files.length > 0) onChoose(chosen([...files]))
        }}
      >
        <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
          <Icon name="archive" size={24} />
        </span>
        <p className="font-medium">Drop a ZIP or a folder here</p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={() => void take(pickFiles())}>
            Choose files
          </Button>
          <Button onClick={() => void take(pickFolder())}>Choose a folder</Button>
        </div>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {KINDS.map(([name, hint]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="font-medium">{name}</dt>
            <dd className="text-muted">{hint}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
