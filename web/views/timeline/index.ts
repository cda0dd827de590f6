import { closedAtom, SECTIONS } from './timeline-atoms.ts'

export { TimelineView as default } from './timeline-view.tsx'

/** Computed ahead (read-ahead.ts). */
export const reads = [SECTIONS.day, closedAtom, SECTIONS.month, SECTIONS.year]
