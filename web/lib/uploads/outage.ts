import { afterFailure, isPatient, type UploadFailure } from './machine.ts'
import type { UploadItem } from './types.ts'

/** While the server cannot be reached, or asks for patience, nothing is begun: one failure speaks for all files. */
export function createOutage(now: () => number, random: () => number) {
  let until = 0
  let failures = 0
  return {
    /** When it may be tried again, in milliseconds of the epoch; in the past when there is no outage. */
    until: () => until,
    over() {
      until = 0
      failures = 0
    },
    /** What becomes of an item whose call failed, with the delays of the outage as a whole. */
    judge(item: UploadItem, failure: UploadFailure): UploadItem {
      if (!isPatient(failure)) return afterFailure(item, failure, now(), random())
      if (until <= now()) failures++
      const after = afterFailure({ ...item, attempts: failures - 1 }, failure, now(), random())
      until = Math.max(until, after.retryAt ?? 0)
      return after
    },
  }
}
