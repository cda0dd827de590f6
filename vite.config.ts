import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { content } from './dev/content/plugin.ts'
import { lazySchemas } from './dev/lazy-schemas.ts'
import { serviceWorker } from './dev/service-worker/plugin.ts'
import { viewFiles } from './dev/view-files.ts'

// The app's first script in four, each of which stands on the ones before it and is read in a task of its own (web/public/first-paint.js).
const TERMS = /\/contract\/(zod|endpoint|icons|ids|limits|policy|text|themes|collections|dates|errors|auth)\.ts/
const BASE = /\/(contract|web\/lib)\/|\/web\/view-table/
/** Large, and loaded by what needs it only. */
const ALONE = /maplibre|supercluster|tiptap|prosemirror|yet-another|heic/

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), lazySchemas(), content(), viewFiles(), serviceWorker()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // light-dark() and oklch() are used as they are.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // A data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Without them every view begins with some eighty scripts; fewer and larger ones have more in them that a view does not need.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules/, tags: ['$initial'], priority: 3 },
            { name: 'draw', test: /\/web\/lib\/draw\.ts/, tags: ['$initial'], priority: 2.7 },
            { name: 'terms', test: TERMS, tags: ['$initial'], priority: 2.6 },
            { name: 'base', test: BASE, tags: ['$initial'], priority: 2.5 },
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
  worker: { format: 'es' },
})
