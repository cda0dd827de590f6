import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import { Plural } from '#say/react'
import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { moveToDayAtom, moveToTimeAtom } from '../../atoms/calendar.ts'
import { mayEditAtom } from '../../atoms/rights.ts'
import { useSelectionArea } from '../../components/bulk/use-selection-area.ts'
import { postIcon } from '../../components/item-icons.ts'
import { useAsk } from '../../components/overlays/overlay-outlet.tsx'
import { tileLabel } from '../../components/photos/asset-tile.tsx'
import { PartsMark } from '../../components/photos/parts-mark.tsx'
import { PhotoMosaic } from '../../components/photos/photo-mosaic.tsx'
import { kindOfPost, whenBelowDay } from '../../components/post-words.ts'
import { RichText } from '../../components/rich-text.tsx'
import { SELECTED, SelectionCheck, useIsSelected } from '../../components/selection-check.tsx'
import { nameOfItem } from '../../lib/bulk/words.ts'
import type { Item } from '../../lib/calendar/day-index.ts'
import { minutesOf } from '../../lib/calendar/hours.ts'
import { slotOf } from '../../lib/calendar/move.ts'
import { isDay, type PanelKey } from '../../lib/calendar/url-state.ts'
import { isPost } from '../../lib/content/is-post.ts'
import { dayKeyOf } from '../../lib/content/order.ts'
import { inputTime } from '../../lib/dates/moments.ts'
import { formatDay, formatZone } from '../../lib/dates/text.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Thumb } from './day-mosaic.tsx'
import { useDraggable } from './drag-dates.tsx'
import { MoveDialog, moveTitle } from './move-dialog.tsx'

interface PanelItemsProps {
  ongoing: readonly Post[]
  items: readonly Item[]
  panel: PanelKey
  onOpenAsset: (id: string) => void
}

/** Events that started on earlier days, then posts and groups of photos by time. Photos that a post of the day contains are not repeated. */
export function PanelItems({ ongoing, items, panel, onOpenAsset }: PanelItemsProps) {
  const selection = useSelectionArea(() => [
    ...ongoing,
    ...runsOf(items).flatMap((run): Item[] => ('post' in run ? [run.post] : run.assets)),
  ])
  return (
    <ul {...selection} className="grid gap-4 [-webkit-touch-callout:none]">
      {ongoing.map((post) => (
        <li key={post.id}>
          <PanelPost post={post} since onOpenAsset={onOpenAsset} panel={panel} />
        </li>
      ))}
      {runsOf(items).map((run) =>
        'post' in run ? (
          <li key={run.post.id}>
            <PanelPost post={run.post} onOpenAsset={onOpenAsset} panel={panel} />
          </li>
        ) : (
          <li key={run.assets[0]?.id}>
            <PanelPhotos assets={run.assets} onOpenAsset={onOpenAsset} panel={panel} />
          </li>
        ),
      )}
    </ul>
  )
}

type Run = { post: Post } | { assets: Asset[] }

function runsOf(items: readonly Item[]): Run[] {
  const inside = new Set(items.flatMap((item) => (isPost(item) ? item.assets.map(({ id }) => id) : [])))
  const runs: Run[] = []
  for (const item of items) {
    if (isPost(item)) runs.push({ post: item })
    else if (!inside.has(item.id)) {
      const last = runs.at(-1)
      if (last && 'assets' in last) last.assets.push(item)
      else runs.push({ assets: [item] })
    }
  }
  return runs
}

function PanelPost({
  post,
  since = false,
  panel,
  onOpenAsset,
}: {
  post: Post
  since?: boolean
  panel: PanelKey
  onOpenAsset: (id: string) => void
}) {
  const editable = useAtomValue(mayEditAtom)(post)
  const drag = useDraggable(editable ? { items: [post] } : null)
  const selected = useIsSelected(post.id)
  const begin = dayKeyOf(post)
  const when = since && begin ? t`since ${{ day: formatDay(begin, 'short') }}` : whenBelowDay(post)
  return (
    <article
      aria-labelledby={`panel-${post.id}`}
      data-selectable={post.id}
      {...drag}
      className={cx(
        'group/selectable relative overflow-hidden rounded-lg border bg-raised',
        editable && 'lg:cursor-grab',
        selected && SELECTED,
      )}
    >
      <SelectionCheck id={post.id} name={post.title} className="top-1 start-1" />
      <PhotoMosaic assets={post.assets} onOpen={onOpenAsset} />
      <div className="flex items-start gap-2 p-4">
        <div className="min-w-0 grow">
          <h3 id={`panel-${post.id}`} className="leading-snug font-semibold wrap-anywhere">
            <button type="button" onClick={() => onOpenAsset(post.id)} className="rounded-xs text-start hover:underline">
              {post.title}
            </button>
          </h3>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-sm text-muted">
            <span className="inline-flex items-center gap-1">
              <Icon name={postIcon(post.type)} size={16} />
              {kindOfPost(post)}
            </span>
            {when && <time>{when}</time>}
            {post.location?.name && (
              <span className="truncate" dir="auto">
                {post.location.name}
              </span>
            )}
          </p>
          {post.body && <RichText html={post.body} className="mt-2 line-clamp-6 text-sm text-pretty" />}
        </div>
        {editable && <ItemMenu item={post} panel={panel} />}
      </div>
    </article>
  )
}

/** Photos per page. */
const STEP = 60

function PanelPhotos({ assets, panel, onOpenAsset }: { assets: readonly Asset[]; panel: PanelKey; onOpenAsset: (id: string) => void }) {
  const [shown, setShown] = useState(STEP)
  return (
    <div className="grid gap-2">
      <ul className="grid grid-cols-3 gap-1">
        {assets.slice(0, shown).map((asset) => (
          <PanelPhoto key={asset.id} asset={asset} panel={panel} onOpen={() => onOpenAsset(asset.id)} />
        ))}
      </ul>
      {assets.length > shown && (
        <Button variant="ghost" size="sm" className="justify-self-center" onClick={() => setShown(shown + STEP)}>
          <Plural value={Math.min(STEP, assets.length - shown)} one="Show # more" other="Show # more" />
        </Button>
      )}
    </div>
  )
}

function PanelPhoto({ asset, panel, onOpen }: { asset: Asset; panel: PanelKey; onOpen: () => void }) {
  const editable = useAtomValue(mayEditAtom)(asset)
  const drag = useDraggable(editable ? { items: [asset] } : null)
  const selected = useIsSelected(asset.id)
  return (
    <li data-selectable={asset.id} className={cx('group group/selectable relative aspect-square rounded-sm', selected && SELECTED)}>
      <SelectionCheck id={asset.id} name={nameOfItem(asset)} className="top-1 start-1" />
      <button
        type="button"
        data-select-open=""
        {...drag}
        onClick={onOpen}
        aria-label={tileLabel(asset)}
        className="relative block size-full overflow-hidden rounded-sm bg-muted select-none focus-visible:outline-offset-1"
      >
        <Thumb asset={asset} />
        <PartsMark asset={asset} />
      </button>
      {editable && (
        <span className="absolute top-1 end-1 opacity-0 transition-opacity duration-(--fast) group-focus-within:opacity-100 group-hover:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100">
          <ItemMenu item={asset} panel={panel} floating />
        </span>
      )}
    </li>
  )
}

/** Moves an item to another day or time without dragging. */
function ItemMenu({ item, panel, floating = false }: { item: Item; panel: PanelKey; floating?: boolean }) {
  const ask = useAsk()
  const moveToDay = useSetAtom(moveToDayAtom)
  const moveToTime = useSetAtom(moveToTimeAtom)
  const name = nameOfItem(item)
  const slot = slotOf(item)
  const from = slot?.day ?? (isDay(panel) ? panel : '')
  const choose = async () => {
    const timed = slot && { time: inputTime(slot.minutes), zone: formatZone(item.date_zone) }
    const to = await ask(MoveDialog, { name, from, timed })
    if (to?.time) await moveToTime(item, { day: to.day, minutes: minutesOf(to.time) })
    else if (to) await moveToDay([item], to.day)
  }
  return (
    <Menu
      trigger={
        <Button
          {...(floating
            ? ({ variant: 'floating', size: 'xs', round: true } as const)
            : ({ variant: 'ghost', size: 'sm', className: '-mt-1 -me-2' } as const))}
          icon="more-horiz"
          iconOnly
        >
          {t`More for ${name}`}
        </Button>
      }
    >
      <MenuItem icon="calendar-today" onSelect={() => void choose()}>
        {moveTitle(from, slot !== null)}…
      </MenuItem>
    </Menu>
  )
}
