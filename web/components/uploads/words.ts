import { plural, t } from '#say'
import { formatSize } from '../../../contract/format-size.ts'
import type { UploadSummary } from '../../lib/uploads/items.ts'
import type { UploadItem } from '../../lib/uploads/types.ts'

export function headline(summary: UploadSummary): string {
  const { total, active, paused, added, duplicates, failed, films, filming, waitingForConnection } = summary
  const done = added + duplicates
  if (active > 0 && waitingForConnection) return t`Waiting for the connection`
  if (active > 0) return t`Adding ${done + 1} of ${total - failed}`
  if (paused > 0) return t`Paused, ${paused} to go`
  if (films > 0) return makingOf(filming)
  if (failed > 0) return t`${failed} could not be added`
  if (added === 0 && duplicates > 0) return duplicates === 1 ? t`It was already here` : t`All ${duplicates} were already here`
  return t`${added} added`
}

const percent = (share: number) => t`${Math.floor(share * 100)}%`

/** A version of a video that more browsers play. */
function makingOf(film: { state: string; share: number } | null): string {
  if (film?.state === 'making') return t`Making a version that plays everywhere, ${percent(film.share)}`
  if (film?.state === 'sending') return t`Sending a version that plays everywhere, ${percent(film.share)}`
  return t`A version that plays everywhere will be made`
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
  if (memoryOnly > 0) return t`Not enough storage on this device: keep this tab open`
  return [
    active + paused > 0 && percent(progress),
    duplicates > 0 && active + paused + failed + added > 0 && t`${duplicates} already here`,
    failed > 0 && active + paused > 0 && t`${failed} not added`,
    unshown > 0 && t`${unshown} without a picture`,
    films > 1 && active + paused === 0 && t`${plural(films, { one: '# video to go', other: '# videos to go' })}`,
    films > 0 && active + paused === 0 && failed > 0 && t`${failed} not added`,
    filmsFailed > 0 && t`${filmsFailed} that most browsers cannot play`,
  ]
    .filter(Boolean)
    .join(' · ')
}

export function stateOf(item: UploadItem): string {
  const size = formatSize(item.size)
  if (item.film) return item.film.message ?? makingOf(item.film)
  switch (item.state) {
    case 'waiting':
      return t`Waiting · ${size}`
    case 'preparing':
      return t`Reading · ${size}`
    case 'ready':
      return item.message ?? t`Ready · ${size}`
    case 'uploading':
      return t`${formatSize(Math.min(item.sent, item.size))} of ${size}`
    case 'finishing':
      return t`Finishing`
    case 'paused':
      return t`Paused · ${size}`
    case 'done':
      return item.message ?? t`Added`
    default:
      return item.message ?? ''
  }
}
