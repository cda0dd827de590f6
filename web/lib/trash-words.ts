/** `12 days left`, until permanent deletion. */
export function daysLeft(purgedAt: string, now = Date.now()): string {
  const days = Math.ceil((Date.parse(purgedAt) - now) / 86_400_000)
  if (days <= 0) return 'Any moment now'
  return days === 1 ? '1 day left' : `${days} days left`
}
