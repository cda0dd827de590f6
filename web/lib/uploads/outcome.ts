import { joined } from '#language'
import { plural, t } from '#say'
import { kindOf } from '../media.ts'
import { countOf } from '../media-text.ts'
import type { UploadEvent } from './types.ts'

/** The toast for a finished batch. Failures stay in the tray with their reasons. */
export function outcomeOf({ added, duplicates, completed, failed }: Extract<UploadEvent, { kind: 'settled' }>) {
  const here = t`${plural(duplicates, { one: '# was already here', other: '# were already here' })}`
  const stuck = t`${plural(failed, { one: '# could not be added', other: '# could not be added' })}`
  const gained =
    completed > 0 &&
    t`${plural(completed, { one: '# was completed with missing details', other: '# were completed with missing details' })}`
  if (added.length > 0) {
    const title = t`${countOf(added.map(kindOf))} added`
    const description = joined([duplicates > 0 && here, gained, failed > 0 && stuck])
    return { title, ...(description ? { description } : {}), icon: 'check-circle', color: 'success' } as const
  }
  if (duplicates > 0)
    return {
      title: t`${plural(duplicates, { one: 'It was already here', other: 'All # were already here' })}`,
      ...(gained ? { description: gained } : {}),
      icon: 'info',
    } as const
  return failed > 0
    ? ({ title: stuck, description: t`The reasons are in the list of uploads.`, icon: 'error', color: 'danger' } as const)
    : null
}
