import { countTaggedAtom, taggedCountsAtom } from '../../atoms/tagged.ts'

export { SettingsView as default } from './settings-view.tsx'

/** Computed ahead (read-ahead.ts). */
export const reads = [taggedCountsAtom, countTaggedAtom]
