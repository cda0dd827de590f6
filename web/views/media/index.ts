import { kindsAtom, modelAtom } from './media-atoms.ts'

export { MediaView as default } from './media-view.tsx'

/** Computed ahead (read-ahead.ts). */
export const reads = [modelAtom, kindsAtom]
