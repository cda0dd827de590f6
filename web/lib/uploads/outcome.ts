import { kindOf } from '../media.ts'
import { countOf } from '../media-text.ts'
import type { UploadEvent } from './types.ts'

/** The toast for a finished batch. Failures stay in the tray with their reasons. */
export function outcomeOf({ added, duplicates, failed }: Extract<UploadEvent, { kind: 'settled' }>) {
  const here = duplicates === 1 ? '1 was already here' : `${duplicates} were already here`
  const stuck = failed === 1 ? '1 could not be added' : `${failed} could not be added`
  if (added.length > 0) {
    const title = `${countOf(added.map(kindOf))} added`
    const description = [duplicates > 0 && here, failed > 0 && stuck].filter(Boolean).join(', ')
    return { title, ...(description ? { description } : {}), icon: 'check-circle', color: 'success' } as const
  }
  if (duplicates > 0)
    return { title: duplicates === 1 ? 'It was already here' : `All ${duplicates} were already here`, icon: 'info' } as const
  return failed > 0
    ? ({ title: stuck, description: 'The reasons are in the list of uploads.', icon: 'error', color: 'danger' } as const)
    : null
}
