import { createPolicy } from '../lib/trusted-types.ts'

/**
 * The default policy of Trusted Types: what a string may do that comes from no other policy. It may be parsed into a separate document, where
 * nothing runs, and name a script or worker of this site's build. It is refused as HTML of the page, so that a mistake elsewhere cannot become
 * a script. The first script of every page sets it, and it cannot be replaced.
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
