import { storedAtom } from './stored-atom.ts'

export type Arrangement = 'days' | 'masonry'

/** Layout of the media view. */
export const mediaArrangementAtom = storedAtom<Arrangement>('media-arrangement', 'masonry', 'masonry', 'days')
