import type { PagePayload } from '../../contract/site.ts'

/** The input of `render` in web/prerender.tsx. */
export interface Drawing {
  /** Null for home. */
  page: PagePayload | null
  /** As `?preview` shows it. */
  preview: boolean
}
