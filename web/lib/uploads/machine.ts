import type { UploadItem, UploadState } from './types.ts'

/** What a failed call tells, whatever threw it. `retryAfter` in seconds. */
export interface UploadFailure {
  code: string
  message: string
  retryAfter: number | null
}

const FIRST_DELAY = 1_000
const LONGEST_DELAY = 30_000
/** Server errors are tried this often before a person is asked. */
const MOST_ATTEMPTS = 6

const ACTIVE: readonly UploadState[] = ['waiting', 'preparing', 'ready', 'uploading', 'finishing', 'retrying']
const SETTLED: readonly UploadState[] = ['done', 'duplicate', 'failed']

export function isActive(item: UploadItem): boolean {
  return ACTIVE.includes(item.state)
}

export function isSettled(item: UploadItem): boolean {
  return SETTLED.includes(item.state)
}

/** Whether its bytes are nowhere but in the memory of a tab, and are still wanted. */
export function isLosable({ keep, state, final }: UploadItem): boolean {
  return keep !== 'kept' && state !== 'done' && state !== 'duplicate' && !final
}

/** Where an item continues: what was prepared is not prepared again. */
export function continued(item: UploadItem): UploadItem {
  return { ...item, state: item.meta ? 'ready' : 'waiting', retryAt: null, message: null, code: null, sent: item.begun ? item.sent : 0 }
}

/** An item as it was found after a reload. What waits for a person goes on waiting; a lapsed session has been renewed by now. */
export function restored(item: UploadItem): UploadItem {
  if (item.state === 'paused') return item
  if (item.state === 'failed' && item.code !== 'unauthenticated') return item
  return { ...continued(item), attempts: 0 }
}

/** Failures that say nothing about the file: being offline, or told to wait. They are tried for ever. */
export function isPatient({ code }: UploadFailure): boolean {
  return code === 'offline' || code === 'rate_limited'
}

/** What becomes of an item whose call failed. `jitter` from 0 to 1. */
export function afterFailure(item: UploadItem, failure: UploadFailure, now: number, jitter: number): UploadItem {
  const attempts = item.attempts + 1
  const patient = isPatient(failure)
  const passing = patient || failure.code === 'internal' || failure.code === 'unavailable'
  if (passing && (patient || attempts < MOST_ATTEMPTS)) {
    const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempts - 1)) + jitter * 1_000
    const retryAt = now + Math.max(delay, (failure.retryAfter ?? 0) * 1_000)
    return { ...item, state: 'retrying', attempts, retryAt, message: passingMessage(failure), code: failure.code }
  }
  return { ...item, state: 'failed', attempts, retryAt: null, message: lastingMessage(failure), code: failure.code }
}

function passingMessage({ code }: UploadFailure): string {
  if (code === 'offline') return 'Waiting for the connection'
  if (code === 'rate_limited') return 'The server asks for a pause'
  return 'The server is busy; trying again'
}

function lastingMessage({ code, message }: UploadFailure): string {
  switch (code) {
    case 'unauthenticated':
      return 'You were signed out. It continues when you sign in again.'
    case 'forbidden':
      return 'You may not add to this collection any more. The file is still here.'
    case 'not_found':
      return 'This collection is gone, or you are no longer a member. The file is still here.'
    case 'internal':
    case 'unavailable':
      return 'The server did not answer. Try again later.'
    default:
      return message || 'It could not be added'
  }
}

export interface UploadSummary {
  total: number
  /** Files that still move by themselves. */
  active: number
  paused: number
  added: number
  duplicates: number
  failed: number
  /** 0 to 1 over the bytes of everything that is not failed. */
  progress: number
  waitingForConnection: boolean
  /** Files that a reload would lose. */
  memoryOnly: number
}

/** One line about all uploads. */
export function summarize(items: readonly UploadItem[]): UploadSummary {
  const summary = {
    total: items.length,
    active: 0,
    paused: 0,
    added: 0,
    duplicates: 0,
    failed: 0,
    waitingForConnection: false,
    memoryOnly: 0,
  }
  let bytes = 0
  let sent = 0
  for (const item of items) {
    if (isActive(item)) summary.active++
    if (item.state === 'paused') summary.paused++
    if (item.state === 'done') summary.added++
    if (item.state === 'duplicate') summary.duplicates++
    if (item.state === 'failed') summary.failed++
    if (item.state === 'retrying' && item.code === 'offline') summary.waitingForConnection = true
    if (item.keep === 'memory' && item.state !== 'done' && item.state !== 'duplicate' && !item.final) summary.memoryOnly++
    if (item.state === 'failed') continue
    bytes += item.size
    sent += item.state === 'done' || item.state === 'duplicate' ? item.size : Math.min(item.sent, item.size)
  }
  return { ...summary, progress: bytes === 0 ? 0 : sent / bytes }
}
