import { createPolicy } from '../lib/trusted-types.ts'

/**
 * What the browser does with text where the content security policy asks for Trusted Types: text may be parsed into a document of its own, where nothing
 * runs, and scripts and workers may be loaded from this site's build. Text as HTML of the page is refused, so a mistake elsewhere cannot become a script.
 * The first script of every page sets it, and it cannot be replaced.
 */
export function restrictScripts(): void {
  createPolicy('default', {
    createHTML(html, _type, sink) {
      if (html === '' || sink === 'DOMParser parseFromString') return html
      throw new TypeError(`Text was refused as HTML: ${sink ?? 'unknown'}`)
    },
    createScriptURL(url) {
      const { origin, pathname, protocol } = new URL(url, location.href)
      if (origin === location.origin && (protocol === 'blob:' || /^\/(assets\/[\w./-]+\.m?js|service-worker\.js)$/.test(pathname)))
        return url
      throw new TypeError('A script of another place was refused')
    },
  })
}
