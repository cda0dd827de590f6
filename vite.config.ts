import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { content } from './dev/content/plugin.ts'
import { guestScript } from './dev/guest-script.ts'
import { headScript } from './dev/head-script.ts'
import { language } from './dev/language/plugin.ts'
import { serviceWorker } from './dev/service-worker/plugin.ts'

/** Large, and loaded by what needs it only. */
const ALONE = /maplibre|supercluster|tiptap|prosemirror|yet-another|heic/

export default defineConfig({
  root: 'web',
  plugins: [language(), react(), tailwindcss(), content(), headScript(), guestScript(), serviceWorker()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Without polyfills: light-dark() and oklch(), and in Firefox Intl.Segmenter and AbortSignal.any.
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    // These browsers preload modules themselves.
    modulePreload: { polyfill: false },
    // A data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Without them every view begins with some eighty scripts; fewer and larger ones have more in them that a view does not need.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules/, tags: ['$initial'], priority: 3 },
            { name: 'app', tags: ['$initial'], priority: 2 },
            { name: 'common', test: (id) => !ALONE.test(id), minShareCount: 8, priority: 1.5 },
            {
              name: 'shared',
              test: (id) => !ALONE.test(id),
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 4_000,
              priority: 1,
            },
          ],
        },
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
      },
    },
  },
  worker: { format: 'es', plugins: () => [language()] },
})
