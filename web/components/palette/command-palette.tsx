import { Dialog as Radix } from 'radix-ui'
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { say } from '#language'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { FIT, rank } from '../../lib/palette/rank.ts'
import { recentIds, rememberRecent } from '../../lib/palette/recent.ts'
import { keyOf } from '../../lib/shortcuts.ts'
import { useClosedByBack } from '../../ui/closed-by-back.ts'
import { useReturnFocus } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Scrim } from '../../ui/scrim.tsx'
import { type Command, GROUP_NAMES, GROUPS } from './command.ts'
import { CommandList, type CommandSection, lineId } from './command-list.tsx'
import { useCommands } from './use-commands.ts'
import { useItemCommands } from './use-item-commands.ts'

/** Maximum number per group, with an empty and a non-empty query. */
const MAX_PER_GROUP = { empty: 6, query: 8 }

/** Finds anything by part of its name: a combobox over one list, best match first. */
export function CommandPalette({ open, close, onClosed }: OverlayProps<void>) {
  const returnFocus = useReturnFocus(open)
  const after = useRef<(() => void) | null>(null)
  useClosedByBack(open, () => close())
  const choose = (command: Command) => {
    rememberRecent(command.id.replace(/^recent /, ''))
    if (command.after) after.current = command.run
    close()
    if (!command.after) command.run()
  }
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || close()}>
      <Radix.Portal>
        <Scrim open={open} />
        <Radix.Content
          aria-modal="true"
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            returnFocus()
            onClosed()
            after.current?.()
          }}
          className="fixed z-50 flex animate-rise-in flex-col overflow-hidden bg-raised shadow-dialog outline-none data-[state=closed]:animate-sink-out max-sm:inset-0 max-sm:pt-[env(safe-area-inset-top)] sm:top-[12dvh] sm:left-1/2 sm:max-h-[min(32rem,76dvh)] sm:w-[min(40rem,calc(100vw-2rem))] sm:-translate-x-1/2 sm:rounded-xl sm:border"
        >
          <Radix.Title className="sr-only">
            <Trans>Jump to anything</Trans>
          </Radix.Title>
          <Combobox onChoose={choose} onClose={() => close()} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** A second Ctrl-K, or Esc, which Radix handles only a moment after the palette is rendered. */
function isClosing(event: KeyboardEvent): boolean {
  return event.key === 'Escape' ? !event.defaultPrevented : keyOf(event) === 'mod+k'
}

function Combobox({ onChoose, onClose }: { onChoose: (command: Command) => void; onClose: () => void }) {
  const listId = useId()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const sections = useSections(useDeferredValue(query))
  const all = sections.flatMap(({ commands }) => commands)
  const current = all[Math.min(active, all.length - 1)]
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 8, PageUp: active - 8 }[event.key]
    if (event.nativeEvent.isComposing) return
    if (to !== undefined && all.length > 0) {
      event.preventDefault()
      const page = event.key.startsWith('Page')
      setActive(page ? Math.max(0, Math.min(all.length - 1, to)) : (to + all.length) % all.length)
    } else if (event.key === 'Enter' && current) {
      event.preventDefault()
      onChoose(current)
    } else if (isClosing(event)) {
      event.preventDefault()
      onClose()
    }
  }
  return (
    <>
      <div className="relative flex shrink-0 items-center border-b">
        <Icon name="search" size={20} className="pointer-events-none absolute start-4 text-(--text-muted)" />
        <input
          type="text"
          role="combobox"
          aria-label={t`Jump to anything`}
          aria-expanded={all.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={current ? lineId(listId, current) : undefined}
          placeholder={t`A name, a word or a month`}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
          className="h-13 w-full min-w-0 bg-transparent pe-4 ps-12 text-base outline-none placeholder:text-(--text-muted) max-sm:pe-20"
        />
        <Radix.Close className="absolute end-2 h-11 rounded-md px-3 text-sm font-medium text-muted sm:hidden">
          <Trans>Cancel</Trans>
        </Radix.Close>
      </div>
      <CommandList
        id={listId}
        sections={sections}
        active={current}
        onChoose={onChoose}
        onPoint={(command) => setActive(all.indexOf(command))}
      />
      {all.length === 0 && (
        <p className="px-6 py-10 text-center text-sm text-muted">
          <Trans>
            <span className="wrap-anywhere">No results for “{query.trim().slice(0, 60)}”.</span> Try a name, a word of a post, a place, or a
            month such as March 2024.
          </Trans>
        </p>
      )}
      <p role="status" className="sr-only">
        {query.trim() !== '' && t`${plural(all.length, { one: '# result', other: '# results' })}`}
      </p>
    </>
  )
}

/** Matches in groups: the group with the best match first, then in the order of the table. */
function useSections(query: string): CommandSection[] {
  const named = useCommands()
  const items = useItemCommands(query)
  // As it was when the palette opened.
  const [recent] = useState(recentIds)
  const hasQuery = query.trim() !== ''
  const sections = useMemo(() => {
    const ranked = rank(query, named, recent)
    const fits = [...ranked, ...items.map((item) => ({ item, fit: item.group === 'dates' ? FIT.start : FIT.otherWords }))]
    return GROUPS.map((group) => {
      const ours = fits.filter(({ item }) => item.group === group)
      return {
        id: group,
        title: say(GROUP_NAMES[group]),
        commands: ours.slice(0, hasQuery ? MAX_PER_GROUP.query : MAX_PER_GROUP.empty).map(({ item }) => item),
        best: ours[0]?.fit ?? 0,
      }
    })
      .filter(({ commands }) => commands.length > 0)
      .sort((a, b) => b.best - a.best)
  }, [query, named, items, recent, hasQuery])
  return hasQuery ? sections : [...recentSection(named, recent), ...sections]
}

/** Recent commands come first while the query is empty. */
function recentSection(named: readonly Command[], recent: readonly string[]): CommandSection[] {
  const commands = recent.flatMap((id) => named.find((command) => command.id === id) ?? []).slice(0, 3)
  return commands.length > 0
    ? [{ id: 'recent', title: t`Recent`, commands: commands.map((command) => ({ ...command, id: `recent ${command.id}` })) }]
    : []
}
