import { kindOf } from '../media.ts'
import { countOf } from '../media-text.ts'
import type { UploadEvent } from './types.ts'

/** The toast for a finished batch. Failures stay in the tray with their reasons. */
export function outcomeOf({ added, duplicates, completed, failed }: Extract<UploadEvent, { kind: 'settled' }>) {
  const here = duplicates === 1 ? '1 was already here' : `${duplicates} were already here`
  const stuck = failed === 1 ? '1 could not be added' : `${failed} could not be added`
  const gained = completed > 0 && `${completed === 1 ? '1 was' : `${completed} were`} completed with missing details`
  if (added.length > 0) {
    const title = `${countOf(added.map(kindOf))} added`
    const description = [duplicates > 0 && here, gained, failed > 0 && stuck].filter(Boolean).join(', ')
    return { title, ...(description ? { description } : {}), icon: 'check-circle', color: 'success' } as const
  }
  if (duplicates > 0)
    return {
      title: duplicates === 1 ? 'It was already here' : `All ${duplicates} were already here`,
      ...(gained ? { description: gained } : {}),
      icon: 'info',
    } as const
  return failed > 0
    ? ({ title: stuck, description: 'The reasons are in the list of uploads.', icon: 'error', color: 'danger' } as const)
    : null
}
