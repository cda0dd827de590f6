import { Trans } from '#say/react'

/** Who made an imported item where it comes from, beside who imported it. */
export function OriginalAuthor({ name }: { name: string | null | undefined }) {
  return name ? (
    <span className="text-muted">
      <Trans>Originally by {name}</Trans>
    </span>
  ) : null
}
