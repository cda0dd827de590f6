import type { PagePayload } from '../../contract/site.ts'

/** What `render` of web/prerender.tsx takes. */
export interface Drawing {
  /** Null for home. */
  page: PagePayload | null
  /** As `?preview` shows it. */
  preview: boolean
}
