import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { settled } from './stage.ts'

/** Texts of the catalogue that have no values, no elements and no context: “Sun” is an icon, but also a day. */
const SAID = [
  ...readFileSync(path.resolve(import.meta.dirname, '../../../language/en.po'), 'utf8').matchAll(
    /(?<!^msgctxt .*\n)^msgid "([^"{}<>\\]+)"$/gm,
  ),
].map(([, text = '']) => text)

/** Changes the language as another tab would: what is open stays open, except menus. */
export async function speak(page: Page, language: string): Promise<void> {
  await page.context().addCookies([{ name: 'language', value: language, url: page.url() }])
  // Pages of links are drawn by the worker.
  if ((await page.locator('#root').count()) === 0) await page.reload()
  else await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language)
  await settled(page)
}

/** Finds texts of a page in the pseudo-language that are still in English, or cut off. */
export const faultsInPseudo = (page: Page): Promise<string[]> => page.evaluate(findFaults, SAID)

/** In the page. Texts of the pseudo-language are in brackets, which may be in other elements than some of the text. */
function findFaults(said: readonly string[]): string[] {
  const english = new Set(said)
  const faults: string[] = []
  const isShown = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const withoutBrackets = (text: string) => {
    let [depth, rest] = [0, '']
    for (const letter of text) {
      if (letter === '[') depth++
      if (depth === 0) rest += letter
      if (letter === ']' && depth > 0) depth--
    }
    return rest.trim()
  }
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (!isShown(element) || element.closest('[lang=en]:not(html), [aria-hidden=true], script, style')) continue
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      const text = withoutBrackets(element.getAttribute(name) ?? '')
      if (english.has(text)) faults.push(`English in ${name}: ${text}`)
    }
    const own = [...element.childNodes].some((node) => node instanceof Text && node.data.trim())
    if (!own) continue
    const text = withoutBrackets(element.textContent ?? '')
    if (english.has(text)) faults.push(`English: ${text}`)
    const { overflowX, textOverflow, whiteSpace } = getComputedStyle(element)
    const cut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1 && getComputedStyle(element).display !== 'inline'
    if (cut && (overflowX === 'visible' || (overflowX !== 'auto' && textOverflow !== 'ellipsis')) && element.textContent?.includes('['))
      faults.push(`Cut off (${whiteSpace}): ${element.textContent.slice(0, 60)} in ${element.localName}.${element.className.slice(0, 60)}`)
  }
  return [...new Set(faults)]
}
