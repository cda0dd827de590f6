/** The part of Trusted Types that is used here; the platform's types do not have them. Only Chromium has them. */
interface Rules {
  createHTML?: (html: string, type?: string, sink?: string) => string
  createScriptURL?: (url: string) => string
}
interface Policy {
  createHTML(html: string): unknown
}
const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): Policy } }).trustedTypes

/** Any name of the content security policy (worker/http/headers.ts). */
export function createPolicy(name: string, rules: Rules): Policy | undefined {
  return factory?.createPolicy(name, rules)
}

let sanitised: Policy | undefined

/**
 * HTML that was sanitised, or made by the build, as the browser accepts it for the page: with Trusted Types, text alone is refused there. Nothing else may
 * call this.
 */
export function trustedHtml(html: string): string {
  sanitised ??= createPolicy('cairn', { createHTML: (text) => text })
  // React passes the object on; its types know text only.
  return (sanitised?.createHTML(html) ?? html) as string
}
