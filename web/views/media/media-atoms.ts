import { atom } from 'jotai'
import { visibleDaysAtom } from '../../atoms/days.ts'
import { memoizeByObject } from '../../lib/memoize-by-object.ts'
import { kindsIn, modelOf } from './media-model.ts'

// Cached, so that returning from another view, or removing a filter, does not compute them again.
const modelPer = memoizeByObject(modelOf)
export const modelAtom = atom((get) => modelPer(get(visibleDaysAtom)))
export const kindsAtom = atom((get) => kindsIn(get(visibleDaysAtom).days))
