import { Failure } from '../../contract/errors.ts'
import type { AssetVersion } from '../../contract/images.ts'
import { type Place, seesExactly } from '../../contract/places.ts'
import { ApiError } from './api.ts'
import { downloadUrl } from './media.ts'
import { sleep } from './scheduling.ts'

/** Milliseconds between two files: a browser forgets one that comes at once. */
const PAUSE = 250

/**
 * Downloads each original; browsers ask once whether the page may save several files. Throws ApiError with the server's reason if one is
 * refused, after the others.
 */
export async function saveFiles(assets: readonly (AssetVersion & { name: string; place?: Place | null | undefined })[]): Promise<void> {
  let refusal: ApiError | null = null
  for (const [nth, asset] of assets.entries()) {
    if (nth > 0) await sleep(PAUSE)
    const refused = seesExactly(asset) ? null : await refusalOf(downloadUrl(asset))
    refusal ??= refused
    if (refused) continue
    const link = document.createElement('a')
    link.href = downloadUrl(asset)
    link.download = asset.name
    link.click()
  }
  if (refusal) throw refusal
}

/** Asked before, because the browser shows no reason of a refused download: a file that cannot be cleaned of its place (decision 057). */
async function refusalOf(url: string): Promise<ApiError | null> {
  const answer = await fetch(url, { headers: { range: 'bytes=0-0' } }).catch(() => null)
  if (answer?.status !== 403) {
    void answer?.body?.cancel()
    return null
  }
  const failure = Failure.safeParse(await answer.json().catch(() => undefined))
  return failure.success ? new ApiError(failure.data.error.code, failure.data.error.message, { status: 403 }) : null
}
