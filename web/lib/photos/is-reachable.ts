/** Whether a file arrives, so that a player which fails at it does so because of the file. */
export async function isReachable(url: string): Promise<boolean> {
  const answer = await fetch(url, { headers: { range: 'bytes=0-0' } }).catch(() => null)
  void answer?.body?.cancel()
  return answer?.ok === true
}
