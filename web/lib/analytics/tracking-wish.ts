/** Whether this browser asks not to be tracked: Do Not Track, or Global Privacy Control. */
export function wantsNoTracking(browser: Navigator = navigator): boolean {
  // Neither is in the platform's types: one is deprecated, one too new.
  const { doNotTrack, globalPrivacyControl } = browser as Navigator & { globalPrivacyControl?: boolean }
  return globalPrivacyControl === true || doNotTrack === '1' || doNotTrack === 'yes'
}
