import { useAtom } from 'jotai'
import { useState } from 'react'
import { say } from '#language'
import { t } from '#say'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { singleKeysAtom } from '../../atoms/shortcuts.ts'
import { hasHandler, SHORTCUTS } from '../../lib/shortcuts.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { KeyCaps, keyWords } from '../../ui/key-caps.tsx'

/** Every shortcut that is active here, from the table that the listeners use. */
export function ShortcutsDialog({ open, close, onClosed }: OverlayProps<void>) {
  const [single, setSingle] = useAtom(singleKeysAtom)
  // As it was when the dialog was requested.
  const [groups] = useState(() =>
    SHORTCUTS.map(({ title, shortcuts }) => ({ title, shortcuts: shortcuts.filter(({ id }) => !id || hasHandler(id)) })).filter(
      ({ shortcuts }) => shortcuts.length > 0,
    ),
  )
  return (
    <Dialog open={open} onClose={close} onClosed={onClosed} size="lg" title={t`Keyboard shortcuts`}>
      <div className="grid gap-6">
        <div className="columns-1 gap-10 sm:columns-2">
          {groups.map(({ title, shortcuts }) => (
            <section key={title.id} aria-label={say(title)} className="mb-6 break-inside-avoid">
              <h3 className="mb-1.5 text-xs font-medium text-muted">{say(title)}</h3>
              <dl className="grid">
                {shortcuts.map(({ keys, label }) => (
                  <div key={keys.join(' ')} className="flex min-h-8 items-center justify-between gap-4 text-sm">
                    <dt>{say(label)}</dt>
                    <dd className="shrink-0">
                      <KeyCaps keys={keys} />
                      <span className="sr-only">{keyWords(keys)}</span>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <Switch
          checked={single}
          onCheckedChange={setSingle}
          label={t`Single-key shortcuts`}
          hint={t`Turn these off if keys are pressed by accident or by voice input. Shortcuts with Ctrl or ⌘ still work.`}
        />
      </div>
    </Dialog>
  )
}
