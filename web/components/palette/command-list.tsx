import { useEffect, useRef } from 'react'
import { t } from '#say'
import { imageSources } from '../../lib/media.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { FadingImg } from '../../ui/image.tsx'
import { KeyCaps } from '../../ui/key-caps.tsx'
import { CollectionBadge } from '../collection-icon.tsx'
import { UserAvatar } from '../user-avatar.tsx'
import type { Command } from './command.ts'

export interface CommandSection {
  id: string
  title: string
  commands: Command[]
}

interface CommandListProps {
  id: string
  sections: CommandSection[]
  active: Command | undefined
  onChoose: (command: Command) => void
  onPoint: (command: Command) => void
}

/** The list of a combobox, which keeps the focus; Enter runs `active`. */
export function CommandList({ id, sections, active, onChoose, onPoint }: CommandListProps) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the active line changes
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.id])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t`Results`}
      tabIndex={-1}
      className="min-h-0 grow overflow-y-auto overscroll-contain p-2 pb-3 empty:hidden"
    >
      {sections.map(({ id: section, title, commands }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox
        <div key={section} role="group" aria-label={title}>
          <p aria-hidden="true" className="px-2.5 pt-2.5 pb-1 text-xs font-medium text-muted">
            {title}
          </p>
          {commands.map((command) => (
            <Line
              key={command.id}
              id={lineId(id, command)}
              command={command}
              active={command === active}
              onChoose={onChoose}
              onPoint={onPoint}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

/** Id of a command's element in the list with the given id. */
export function lineId(list: string, command: Command): string {
  return `${list}-${command.id.replaceAll(' ', '-')}`
}

interface LineProps {
  id: string
  command: Command
  active: boolean
  onChoose: (command: Command) => void
  onPoint: (command: Command) => void
}

function Line({ id, command, active, onChoose, onPoint }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keyboard
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      onClick={() => onChoose(command)}
      onPointerMove={() => active || onPoint(command)}
      className={cx(
        'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1 text-sm pointer-coarse:min-h-12',
        active && 'bg-muted',
      )}
    >
      <span className="grid size-7 shrink-0 place-items-center text-muted">
        <Face face={command.face} />
      </span>
      <span className="min-w-0 truncate" dir="auto">
        {command.label}
      </span>
      {command.hint && <span className="min-w-0 shrink-[2] truncate text-muted max-sm:text-xs">{command.hint}</span>}
      {command.keys && <KeyCaps keys={command.keys} className="ms-auto pointer-coarse:hidden" />}
    </div>
  )
}

function Face({ face }: { face: Command['face'] }) {
  if ('icon' in face) return <Icon name={face.icon} size={20} />
  if ('collection' in face) return <CollectionBadge icon={face.collection.icon} theme={face.collection.theme} size={26} />
  if ('person' in face) return <UserAvatar userId={face.person.user_id} name={face.person.name} size="xs" />
  const sources = imageSources(face.asset, 'thumb')
  if (sources.length === 0) return <Icon name="draft" size={20} />
  return (
    <span className="size-7 overflow-hidden rounded-sm bg-muted">
      <FadingImg sources={sources} alt="" />
    </span>
  )
}
