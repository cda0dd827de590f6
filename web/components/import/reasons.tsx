import { plural, t } from '#say'
import { Plural } from '#say/react'
import type { LeftOut, Refused } from '../../lib/import/types.ts'

const MAX_SHOWN = 200

export function ImportReasons({ refused, open = false }: { refused: readonly Refused[]; open?: boolean }) {
  if (refused.length === 0) return null
  return (
    <details open={open} className="rounded-lg border text-sm">
      <summary className="cursor-pointer px-3 py-2 font-medium">
        <Plural value={refused.length} one="# cannot be imported" other="# cannot be imported" />
      </summary>
      <ul className="max-h-48 divide-y overflow-y-auto border-t">
        {refused.slice(0, MAX_SHOWN).map(({ name, reason }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same, and the list never changes
          <li key={i} className="px-3 py-1.5">
            <span className="break-all">{name}</span>
            <span className="block text-muted">{reason}</span>
          </li>
        ))}
        {refused.length > MAX_SHOWN && (
          <li className="px-3 py-1.5 text-muted">
            <Plural value={refused.length - MAX_SHOWN} one="and # more" other="and # more" />
          </li>
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
        {leftOut.length === 1
          ? t`${plural(files, { one: '# file of another product is left out', other: '# files of another product are left out' })}`
          : t`${plural(files, { one: '# file of other products is left out', other: '# files of other products are left out' })}`}
      </summary>
      <ul
        aria-label={t({ message: 'Left out', comment: 'Above a list of what an import leaves out' })}
        className="max-h-48 divide-y overflow-y-auto border-t"
      >
        {leftOut.map((product) => (
          <li key={product.name} className="flex justify-between gap-4 px-3 py-1.5">
            <span className="min-w-0 break-words">{product.name}</span>
            <span className="shrink-0 text-muted">
              <Plural value={product.files} one="# file" other="# files" />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
