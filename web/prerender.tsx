import { createStore, Provider } from 'jotai'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { setLanguage } from '#language'
import type { Catalogue } from '../contract/language/sentence.ts'
import type { PagePayload } from '../contract/site.ts'
import { ContentPage } from './pages/content-page.tsx'
import { HomePage } from './pages/home.tsx'
import { RootPage } from './pages/root-page.tsx'

interface Input {
  /** Null for the home page. */
  page: PagePayload | null
  preview: boolean
  /** Undefined for English. */
  language: { tag: string; catalogue: Catalogue } | undefined
}

/** Renders a written page, or home, as HTML, in the same tree as main.tsx, so that the browser can hydrate it. Called by the build. */
export async function render({ page, preview, language }: Input): Promise<string> {
  const shown = page ? { path: '*', loader: () => page, Component: ContentPage } : { path: '/', Component: HomePage }
  const handler = createStaticHandler([{ Component: RootPage, children: [shown] }])
  const context = await handler.query(new Request(new URL((page?.path ?? '/') + (preview ? '?preview' : ''), 'http://localhost')))
  if (context instanceof Response) throw new Error(`${page?.path ?? 'Home'} cannot be drawn`)
  setLanguage(language?.tag ?? 'en', language?.catalogue ?? {})
  return renderToString(
    <StrictMode>
      <Provider store={createStore()}>
        <StaticRouterProvider router={createStaticRouter(handler.dataRoutes, context)} context={context} hydrate={false} />
      </Provider>
    </StrictMode>,
  )
}
