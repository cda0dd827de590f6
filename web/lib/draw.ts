/** Apart from what starts the app, so that the largest script of all is read in a task of its own (vite.config.ts). */
export { createRoot, hydrateRoot } from 'react-dom/client'
