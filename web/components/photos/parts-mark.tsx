import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { type Marked, markOf } from './part-words.ts'

/** Shown over the preview of an item that has more parts than the picture; renders nothing for others. */
export function PartsMark({ asset, className = 'absolute bottom-1.5 start-1.5' }: { asset: Marked; className?: string }) {
  const mark = markOf(asset)
  if (!mark) return null
  return (
    <span
      className={cx(
        'flex items-center gap-0.5 rounded-sm bg-black/60 py-0.5 pe-1.5 ps-0.5 text-xs font-medium tabular-nums text-white',
        className,
      )}
    >
      <Icon name={mark.icon} size={16} />
      {mark.text}
    </span>
  )
}
