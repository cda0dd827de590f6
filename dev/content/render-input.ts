import type { Catalogue } from '../../contract/language/sentence.ts'
import type { PagePayload } from '../../contract/site.ts'

/** The input of `render` in web/prerender.tsx. */
export interface RenderInput {
  /** Null for the home page. */
  page: PagePayload | null
  /** Whether to render the page as `?preview` shows it. */
  preview: boolean
  /** Undefined for English. */
  language: { tag: string; catalogue: Catalogue } | undefined
}
