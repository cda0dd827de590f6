/**
 * Whether a host name of a URL means this machine: loopback, the unspecified address, or a name below `.localhost` or `.local`.
 * Only such addresses may be http, and none of them may be a setting of a real site.
 */
export function isThisMachine(hostname: string): boolean {
  const host = normalized(hostname)
  if (/^\[.*\]$/.test(host)) return /^\[::(1|ffff:7f[\da-f]{2}:[\da-f]{1,4}|ffff:0:0)?\]$/.test(host)
  return /^127(\.\d+){3}$|^0\.0\.0\.0$|(^|\.)localhost\.?$|\.local\.?$/.test(host)
}

/** URL normalizes addresses such as 2130706433 or 0x7f.1 for http only, not for postgresql. */
function normalized(hostname: string): string {
  return URL.canParse(`http://${hostname}`) ? new URL(`http://${hostname}`).hostname : hostname.toLowerCase()
}
