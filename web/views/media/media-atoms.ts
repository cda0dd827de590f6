import { atom } from 'jotai'
import { visibleDaysAtom } from '../../atoms/days.ts'
import { textOf } from '../../lib/media-text.ts'
import { memoizeByObject } from '../../lib/memoize-by-object.ts'
import { kindsIn, modelOf } from './media-model.ts'

// Cached, so that returning from another view, or removing a filter, does not compute them again.
const modelPer = memoizeByObject(modelOf)
export const modelAtom = atom((get) => modelPer(get(visibleDaysAtom)))
export const countAtom = atom((get) => textOf(kindsIn(get(visibleDaysAtom).days)))
