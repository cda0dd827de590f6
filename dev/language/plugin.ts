import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { makeConfig } from '@lingui/conf'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { mapMacroOptions, transform } from '@lingui/native-tools'
import type { Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin } from 'vite'
import type { Sentence } from '../../contract/language/sentence.ts'
import settings from './config.ts'

const HAS_MACROS = /from '#say(\/react)?'/
/** Lingui writes each field on a line of its own, and a text with double quotes between single ones. */
const MESSAGE = /^( +message: )("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/gm
const MACROS = { ...mapMacroOptions(makeConfig(settings)), descriptorFields: 'message' } as const

/** English stays beside the code that shows it, and is compiled as catalogues are: nothing parses a sentence in the browser. */
export async function withoutMacros(code: string, file: string) {
  const { code: plain, map } = await transform(code, path.basename(file), { macro: MACROS })
  const compiled = plain.replace(MESSAGE, (_, name: string, text: string) => `${name}${JSON.stringify(compiledSentence(textOf(text)))}`)
  return { code: compiled, map: map ?? null }
}

/** The text of a literal in either quotes. */
function textOf(literal: string): string {
  return JSON.parse(literal.startsWith('"') ? literal : `"${literal.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`)
}

/** Throws for a broken sentence. */
export function compiledSentence(text: string): Sentence {
  const tokens = compileMessage(text) as Sentence
  return tokens.length === 1 && typeof tokens[0] === 'string' ? tokens[0] : tokens
}

/** Replaces `t`, `msg`, `plural`, `Trans` and `Plural` (contract/language/say.ts). */
export function language(): Plugin {
  return {
    name: 'cairn-language',
    enforce: 'pre',
    transform: { filter: { id: /\.tsx?$/, code: HAS_MACROS }, handler: withoutMacros },
  }
}

/** The same for the worker and for scripts beside the app. */
export const languageInEsbuild: EsbuildPlugin = {
  name: 'cairn-language',
  setup(build) {
    build.onLoad({ filter: /\/(?:contract|party|web|worker)\/.*\.tsx?$/ }, async ({ path: file }) => {
      const code = await readFile(file, 'utf8')
      if (!HAS_MACROS.test(code)) return null
      const { code: contents } = await withoutMacros(code, file)
      return { contents, loader: file.endsWith('x') ? 'jsx' : 'js' }
    })
  },
}
