import { useCallback } from 'react'
import { useOpen } from '../overlays/use-open.ts'

const loadSimilar = async () => (await import('./dialog.tsx')).SimilarDialog

export function useSimilar() {
  const open = useOpen()
  return useCallback(() => void open(loadSimilar, {}), [open])
}
