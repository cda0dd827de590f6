import { atom } from 'jotai'
import { visibleDaysAtom } from '../../atoms/days.ts'
import { textOf } from '../../lib/media-text.ts'
import { memoizeByObject } from '../../lib/memoize-by-object.ts'
import { kindsIn, modelOf } from './media-model.ts'

// Coming back from another view finds them ready; what is made once per list is there when a filter is taken off again.
const modelPer = memoizeByObject(modelOf)
export const modelAtom = atom((get) => modelPer(get(visibleDaysAtom)))
/** In words. */
export const countAtom = atom((get) => textOf(kindsIn(get(visibleDaysAtom).days)))
