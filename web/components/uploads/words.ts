import { formatSize } from '../../../contract/format-size.ts'
import type { UploadSummary } from '../../lib/uploads/items.ts'
import type { UploadItem } from '../../lib/uploads/types.ts'

export function headline(summary: UploadSummary): string {
  const { total, active, paused, added, duplicates, failed, waitingForConnection } = summary
  const done = added + duplicates
  if (active > 0 && waitingForConnection) return 'Waiting for the connection'
  if (active > 0) return `Adding ${(done + 1).toLocaleString('en')} of ${(total - failed).toLocaleString('en')}`
  if (paused > 0) return `Paused, ${paused.toLocaleString('en')} to go`
  if (failed > 0) return failed === 1 ? '1 could not be added' : `${failed.toLocaleString('en')} could not be added`
  if (added === 0 && duplicates > 0)
    return duplicates === 1 ? 'It was already here' : `All ${duplicates.toLocaleString('en')} were already here`
  return `${added.toLocaleString('en')} added`
}

export function subline({ active, paused, progress, added, duplicates, failed, unshown, memoryOnly }: UploadSummary): string {
  if (memoryOnly > 0) return 'Not enough storage on this device: keep this tab open'
  return [
    active + paused > 0 && `${Math.floor(progress * 100)} %`,
    duplicates > 0 && active + paused + failed + added > 0 && `${duplicates} already here`,
    failed > 0 && active + paused > 0 && `${failed} not added`,
    unshown > 0 && `${unshown} without a picture`,
  ]
    .filter(Boolean)
    .join(' · ')
}

export function stateOf(item: UploadItem): string {
  const size = formatSize(item.size)
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
