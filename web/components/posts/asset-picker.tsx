import { useState } from 'react'
import { numberText } from '#language'
import { Trans } from '#say/react'
import type { Asset } from '../../../contract/assets.ts'
import { imageSources } from '../../lib/media.ts'
import { placeholderOf } from '../../lib/photos/placeholder.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { Image } from '../../ui/image.tsx'
import { FileFace, tileLabel } from '../photos/asset-tile.tsx'

const STEP = 24

interface AssetPickerProps {
  assets: readonly Asset[]
  selected: readonly string[]
  onChange: (ids: string[]) => void
}

/** Chooses photos of the collection, numbered in the order in which they will appear. */
export function AssetPicker({ assets, selected, onChange }: AssetPickerProps) {
  const [shown, setShown] = useState(STEP)
  const toggle = (id: string) => onChange(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id])
  return (
    <div className="grid gap-2">
      <ul className="grid grid-cols-4 gap-1 sm:grid-cols-6">
        {assets.slice(0, shown).map((asset) => {
          const at = selected.indexOf(asset.id)
          const sources = imageSources(asset, 'thumb')
          return (
            <li key={asset.id}>
              <button
                type="button"
                aria-pressed={at >= 0}
                aria-label={tileLabel(asset)}
                onClick={() => toggle(asset.id)}
                className={cx(
                  'relative block aspect-square w-full overflow-hidden rounded-sm',
                  at >= 0 ? 'bg-accent-soft p-1.5' : 'bg-muted',
                )}
              >
                {sources.length > 0 ? (
                  <Image
                    sources={sources}
                    alt=""
                    placeholder={placeholderOf(asset.thumbhash)}
                    frameClassName={cx('size-full', at >= 0 && 'rounded-xs')}
                  />
                ) : (
                  <FileFace asset={asset} />
                )}
                {at >= 0 && (
                  <span className="absolute top-1 start-1 grid size-5 place-items-center rounded-full bg-accent text-xs font-semibold tabular-nums text-on-accent">
                    {numberText(at + 1)}
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
      {assets.length > shown && (
        <Button variant="ghost" size="sm" className="justify-self-center" onClick={() => setShown(shown + STEP * 2)}>
          <Icon name="keyboard-arrow-down" size={18} />
          <Trans>Show more</Trans>
        </Button>
      )}
    </div>
  )
}
