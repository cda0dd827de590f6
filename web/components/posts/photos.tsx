import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { LIMITS } from '../../../contract/limits.ts'
import type { PostAsset } from '../../../contract/posts.ts'
import { assetsAtom } from '../../atoms/content.ts'
import { tilesAtom } from '../../atoms/tiles.ts'
import { pickFiles } from '../../lib/pick-files.ts'
import { readingKey } from '../../lib/reading-direction.ts'
import { Button } from '../../ui/button.tsx'
import { AssetPicker } from './asset-picker.tsx'
import { PostPhoto } from './photo.tsx'
import { moved, useSorting } from './use-sorting.ts'

export const atMostPhotos = () => t`A post can have at most ${LIMITS.assetsPerPost} photos`

interface PostPhotosProps {
  value: readonly string[]
  /** Assets that the post shows, though they may not be in the open collection. */
  known: readonly PostAsset[]
  error: string | undefined
  onChange: (ids: string[]) => void
  onFiles: (files: readonly File[]) => void
}

/** The photos of a post in order, the first one as its cover. They are reordered by dragging, or with the arrow keys on the focused one. */
export function PostPhotos({ value, known, error, onChange, onFiles }: PostPhotosProps) {
  const assets = useAtomValue(assetsAtom)
  const tiles = useAtomValue(tilesAtom)
  const [active, setActive] = useState<string | null>(null)
  const [choosing, setChoosing] = useState(false)
  const [said, say] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const nameOf = (id: string) => {
    const asset = [...assets, ...known].find((one) => one.id === id)
    return asset?.alt || asset?.name || t`Photo`
  }
  const move = (from: number, to: number) => {
    const id = value[from]
    if (id === undefined || to < 0 || to >= value.length || from === to) return
    onChange(moved(value, from, to))
    const [name, place, count] = [nameOf(id), to + 1, value.length]
    say(to === 0 ? t`${name}, ${place} of ${count}, the cover` : t`${name}, ${place} of ${count}`)
  }
  const remove = (id: string) => {
    const at = value.indexOf(id)
    onChange(value.filter((other) => other !== id))
    setActive(null)
    list.current?.querySelectorAll<HTMLElement>('[data-sort]')[at === 0 ? 1 : at - 1]?.focus()
  }
  const { dragged, handlers } = useSorting(move)
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const id = value[at]
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: value.length - 1 }[
      readingKey(event)
    ]
    if (to !== undefined) move(at, to)
    else if ((event.key === 'Delete' || event.key === 'Backspace') && id) remove(id)
    else return
    event.preventDefault()
  }
  const at = active === null ? -1 : value.indexOf(active)
  const full = value.length >= LIMITS.assetsPerPost ? atMostPhotos() : undefined
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-1.5 text-sm font-medium">
        <Trans>Photos</Trans>
        {value.length > 1 && (
          <span className="font-normal text-muted tabular-nums">
            {' · '}
            <Trans>{value.length} in their order</Trans>
          </span>
        )}
      </legend>
      {value.length > 0 && (
        <ul ref={list} className="grid grid-cols-4 gap-1.5 sm:grid-cols-6">
          {value.map((id, index) => (
            <PostPhoto
              key={id}
              id={id}
              {...{ index, known }}
              lifted={dragged === index}
              active={active === id}
              handlers={handlers(index)}
              onKeyDown={(event) => onKeyDown(event, index)}
              onSelect={() => setActive(active === id ? null : id)}
              onRemove={() => remove(id)}
            />
          ))}
        </ul>
      )}
      {active !== null && at >= 0 && (
        <fieldset aria-label={nameOf(active)} className="flex flex-wrap gap-1.5">
          <Button size="sm" icon="photo-library" disabledReason={at === 0 ? t`This is the cover` : undefined} onClick={() => move(at, 0)}>
            <Trans>Set as cover</Trans>
          </Button>
          <Button
            size="sm"
            icon="chevron-left"
            iconOnly
            disabledReason={at === 0 ? t`This is the first photo` : undefined}
            onClick={() => move(at, at - 1)}
          >
            <Trans context="order" comment="Moves a photo of a post one place towards the first">
              Earlier
            </Trans>
          </Button>
          <Button
            size="sm"
            icon="chevron-right"
            iconOnly
            disabledReason={at === value.length - 1 ? t`This is the last photo` : undefined}
            onClick={() => move(at, at + 1)}
          >
            <Trans context="order" comment="Moves a photo of a post one place towards the last">
              Later
            </Trans>
          </Button>
          <Button size="sm" variant="ghost" icon="remove" onClick={() => remove(active)}>
            <Trans>Remove</Trans>
          </Button>
        </fieldset>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" icon="upload" disabledReason={full} onClick={() => void pickFiles().then(onFiles)}>
          <Trans>Add photos</Trans>
        </Button>
        {tiles.length > 0 && (
          <Button size="sm" variant="ghost" icon="photo-library" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
            {choosing ? t`Done` : t`Choose from this collection`}
          </Button>
        )}
      </div>
      {full && <p className="text-sm text-muted">{full}</p>}
      {choosing && <AssetPicker assets={tiles} selected={value} onChange={(ids) => onChange(ids.slice(0, LIMITS.assetsPerPost))} />}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
