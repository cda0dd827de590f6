import type { LeftOut, Refused } from '../../lib/import/types.ts'
import { counted } from './words.ts'

const MAX_SHOWN = 200

export function ImportReasons({ refused, open = false }: { refused: readonly Refused[]; open?: boolean }) {
  if (refused.length === 0) return null
  const title = refused.length === 1 ? '1 cannot be imported' : `${refused.length.toLocaleString('en')} cannot be imported`
  return (
    <details open={open} className="rounded-lg border text-sm">
      <summary className="cursor-pointer px-3 py-2 font-medium">{title}</summary>
      <ul className="max-h-48 divide-y overflow-y-auto border-t">
        {refused.slice(0, MAX_SHOWN).map(({ name, reason }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same, and the list never changes
          <li key={i} className="px-3 py-1.5">
            <span className="break-all">{name}</span>
            <span className="block text-muted">{reason}</span>
          </li>
        ))}
        {refused.length > MAX_SHOWN && (
          <li className="px-3 py-1.5 text-muted">and {(refused.length - MAX_SHOWN).toLocaleString('en')} more</li>
        )}
      </ul>
    </details>
  )
}

/** Other products of an export, which are not imported. */
export function ImportLeftOut({ leftOut }: { leftOut: readonly LeftOut[] }) {
  if (leftOut.length === 0) return null
  const files = leftOut.reduce((sum, product) => sum + product.files, 0)
  return (
    <details className="rounded-lg border text-sm">
      <summary className="cursor-pointer px-3 py-2 font-medium">
        {counted(files, 'file')} of {leftOut.length === 1 ? 'another product is' : 'other products are'} left out
      </summary>
      <ul aria-label="Left out" className="max-h-48 divide-y overflow-y-auto border-t">
        {leftOut.map((product) => (
          <li key={product.name} className="flex justify-between gap-4 px-3 py-1.5">
            <span className="min-w-0 break-words">{product.name}</span>
            <span className="shrink-0 text-muted">{counted(product.files, 'file')}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
