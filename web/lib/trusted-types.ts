/** The part of Trusted Types that is used here. TypeScript's library lacks them, and so do some browsers. */
interface Rules {
  createHTML?: (html: string, type?: string, sink?: string) => string
  createScriptURL?: (url: string) => string
}
interface Policy {
  createHTML(html: string): unknown
}
const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): Policy } }).trustedTypes

/** Undefined where the browser has no Trusted Types. The content security policy must list the name (worker/http/headers.ts). */
export function createPolicy(name: string, rules: Rules): Policy | undefined {
  return factory?.createPolicy(name, rules)
}

let sanitised: Policy | undefined

/**
 * Marks HTML as trusted, because with Trusted Types the page refuses plain strings. Only for HTML that was sanitised or made by the build.
 */
export function trustedHtml(html: string): string {
  sanitised ??= createPolicy('cairn', { createHTML: (text) => text })
  // React passes the object on; its types know text only.
  return (sanitised?.createHTML(html) ?? html) as string
}
