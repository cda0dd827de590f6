/** Whether this browser says that its person does not want to be counted: Do Not Track, or Global Privacy Control. */
export function wantsNoTracking(browser: Navigator = navigator): boolean {
  // Neither is in the platform's types: one is deprecated, one too young.
  const { doNotTrack, globalPrivacyControl } = browser as Navigator & { globalPrivacyControl?: boolean }
  return globalPrivacyControl === true || doNotTrack === '1' || doNotTrack === 'yes'
}
