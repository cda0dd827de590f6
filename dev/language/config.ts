import path from 'node:path'
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { createSwcExtractor } from '@lingui/native-tools'
import { LANGUAGES } from '../../contract/language/languages.ts'

/** Where Lingui finds texts and keeps their translations, and what the build makes of `t` and `Trans`. */
export default defineConfig({
  rootDir: path.join(import.meta.dirname, '../..'),
  sourceLocale: 'en',
  locales: LANGUAGES.map(({ tag }) => tag),
  catalogs: [
    {
      path: '<rootDir>/language/{locale}',
      include: ['contract', 'party', 'web', 'worker'].map((folder) => `<rootDir>/${folder}`),
      exclude: ['**/*.test.*'],
    },
  ],
  extractors: [createSwcExtractor()],
  format: formatter({ lineNumbers: false }),
  orderBy: 'origin',
  runtimeConfigModule: { i18n: ['#language', 'i18n'], Trans: ['#language/react', 'Trans'] },
  macro: { corePackage: ['#say'], jsxPackage: ['#say/react'] },
})
