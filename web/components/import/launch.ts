import { useCallback } from 'react'
import type { ToImport } from '../../lib/import/sources.ts'
import { useOpen } from '../overlays/use-open.ts'

const loadImport = async () => (await import('./dialog.tsx')).ImportDialog

export function useImport() {
  const open = useOpen()
  return useCallback((source: ToImport = {}) => void open(loadImport, { source }), [open])
}

/** As in lib/import/archive-name.ts, which would be a script of its own in the first visit. */
const isArchive = (name: string) => /\.(zip|tgz|tar|tar\.gz)$/i.test(name)

/** Returns folders and archives of a drop, which are inspected first; null for plain files only. Must be called synchronously in the event. */
export function importOf(transfer: DataTransfer): ToImport | null {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const files = [...transfer.files]
  if (!entries.some(({ isDirectory }) => isDirectory) && !files.some(({ name }) => isArchive(name))) return null
  return entries.length > 0 ? { entries } : { files }
}
