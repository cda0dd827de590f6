import { useId, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { CollectionIconName } from '../../../contract/icons.ts'
import { findIcons, iconLabel } from '../../lib/icon-words.ts'
import { cx } from '../../ui/cx.ts'
import { Input } from '../../ui/input.tsx'
import { CollectionIcon } from '../collection-icon.tsx'
import { moveInRadioGrid } from '../radio-grid.ts'
import { useRestOfPage } from '../use-rest-of-page.ts'

/** Enough to fill the visible part of the list. */
const FIRST = 60

interface IconPickerProps {
  value: string
  onChange: (icon: CollectionIconName) => void
}

/** All icons for collections, searchable by name. */
export function IconPicker({ value, onChange }: IconPickerProps) {
  const labelId = useId()
  const [search, setSearch] = useState('')
  const rest = useRestOfPage()
  const found = findIcons(search)
  // Roving tabindex: the selected icon, or the first one when the selected one is filtered out.
  const reachable = found.some((name) => name === value) ? value : found[0]
  return (
    <div className="grid gap-2">
      <span id={labelId} className="text-sm font-medium">
        <Trans>Icon</Trans>
      </span>
      <Input
        icon="search"
        type="search"
        aria-label={t`Find an icon`}
        placeholder={t`Find an icon`}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
          if (event.key === 'Escape') setSearch('')
        }}
      />
      <div
        role="radiogroup"
        aria-labelledby={labelId}
        onKeyDown={moveInRadioGrid}
        className="grid max-h-44 grid-cols-[repeat(auto-fill,minmax(2.75rem,1fr))] gap-1 overflow-y-auto rounded-md border p-1.5"
      >
        {found.slice(0, rest ? undefined : FIRST).map((name) => (
          // biome-ignore lint/a11y/useSemanticElements: a native radio button cannot hold a drawing
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={name === value}
            aria-label={iconLabel(name)}
            title={iconLabel(name)}
            tabIndex={name === reachable ? 0 : -1}
            onClick={() => onChange(name)}
            className={cx(
              'grid h-11 place-items-center rounded-md transition-colors duration-(--fast) focus-visible:-outline-offset-2',
              name === value ? 'bg-accent text-on-accent' : 'text-muted hover:bg-muted hover:text-default',
            )}
          >
            <CollectionIcon icon={name} size={22} />
          </button>
        ))}
        {found.length === 0 && (
          <p className="col-span-full px-2 py-3 text-center text-sm text-muted">
            <Trans>No icons match</Trans>
          </p>
        )}
      </div>
    </div>
  )
}
