interface NetworkInformation {
  saveData?: boolean
  type?: string
  effectiveType?: string
}

/** Whether data may cost the user something, as far as the browser says: only some do. */
export function isMetered(): boolean {
  const { saveData, type, effectiveType } = (navigator as { connection?: NetworkInformation }).connection ?? {}
  return saveData === true || type === 'cellular' || /2g$/.test(effectiveType ?? '')
}
