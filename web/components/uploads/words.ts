import { formatSize } from '../../../contract/format-size.ts'
import type { UploadSummary } from '../../lib/uploads/items.ts'
import type { UploadItem } from '../../lib/uploads/types.ts'

export function headline(summary: UploadSummary): string {
  const { total, active, paused, added, duplicates, failed, films, filming, waitingForConnection } = summary
  const done = added + duplicates
  if (active > 0 && waitingForConnection) return 'Waiting for the connection'
  if (active > 0) return `Adding ${(done + 1).toLocaleString('en')} of ${(total - failed).toLocaleString('en')}`
  if (paused > 0) return `Paused, ${paused.toLocaleString('en')} to go`
  if (films > 0) return makingOf(filming)
  if (failed > 0) return failed === 1 ? '1 could not be added' : `${failed.toLocaleString('en')} could not be added`
  if (added === 0 && duplicates > 0)
    return duplicates === 1 ? 'It was already here' : `All ${duplicates.toLocaleString('en')} were already here`
  return `${added.toLocaleString('en')} added`
}

const percent = (share: number) => `${Math.floor(share * 100)}%`

/** A version of a video that more browsers play. */
function makingOf(film: { state: string; share: number } | null): string {
  if (film?.state === 'making') return `Making a version that plays everywhere, ${percent(film.share)}`
  if (film?.state === 'sending') return `Sending a version that plays everywhere, ${percent(film.share)}`
  return 'A version that plays everywhere will be made'
}

export function subline({
  active,
  paused,
  progress,
  added,
  duplicates,
  failed,
  films,
  filmsFailed,
  unshown,
  memoryOnly,
}: UploadSummary): string {
  if (memoryOnly > 0) return 'Not enough storage on this device: keep this tab open'
  return [
    active + paused > 0 && `${Math.floor(progress * 100)}%`,
    duplicates > 0 && active + paused + failed + added > 0 && `${duplicates} already here`,
    failed > 0 && active + paused > 0 && `${failed} not added`,
    unshown > 0 && `${unshown} without a picture`,
    films > 1 && active + paused === 0 && `${films} videos to go`,
    films > 0 && active + paused === 0 && failed > 0 && `${failed} not added`,
    filmsFailed > 0 && `${filmsFailed} that most browsers cannot play`,
  ]
    .filter(Boolean)
    .join(' · ')
}

export function stateOf(item: UploadItem): string {
  const size = formatSize(item.size)
  if (item.film) return item.film.message ?? makingOf(item.film)
  switch (item.state) {
    case 'waiting':
      return `Waiting · ${size}`
    case 'preparing':
      return `Reading · ${size}`
    case 'ready':
      return item.message ?? `Ready · ${size}`
    case 'uploading':
      return `${formatSize(Math.min(item.sent, item.size))} of ${size}`
    case 'finishing':
      return 'Finishing'
    case 'paused':
      return `Paused · ${size}`
    case 'done':
      return item.message ?? 'Added'
    default:
      return item.message ?? ''
  }
}
