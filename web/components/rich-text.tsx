import { useMemo } from 'react'
import { displayHtml } from '../lib/sanitize.ts'
import { trustedHtml } from '../lib/trusted-types.ts'
import { cx } from '../ui/cx.ts'

export const RICH_TEXT =
  'wrap-anywhere [&_a]:text-accent [&_a]:underline [&_blockquote]:border-s-2 [&_blockquote]:border-strong [&_blockquote]:ps-4 [&_blockquote]:text-muted ' +
  '[&_li]:my-1 [&_ol]:list-decimal [&_ol]:ps-6 [&_ul]:list-disc [&_ul]:ps-6 [&_:is(h1,h2,h3,h4,h5,h6)]:mt-4 [&_:is(h1,h2,h3,h4,h5,h6)]:font-semibold [&_:is(h1,h2)]:text-[1.125rem] [&>*+*]:mt-3 ' +
  '[&_:is(p,li,blockquote)]:text-start [&_.lead]:text-[1.125em] [&_.small]:text-[0.875em] [&_.center]:text-center'

/** The body of a post. Everything outside the allow-list is removed before it reaches the page. */
export function RichText({ html, className }: { html: string; className?: string }) {
  const clean = useMemo(() => trustedHtml(displayHtml(html)), [html])
  return (
    <div
      dir="auto"
      className={cx(RICH_TEXT, className)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised in the line above, against the allow-list
      dangerouslySetInnerHTML={{ __html: clean }}
    />
  )
}
