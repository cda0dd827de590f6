import { lookAtScreens, ON_PHONE } from './look.ts'
import { OVERLAYS } from './overlays.ts'
import { STATES } from './states.ts'
import { WORK } from './work.ts'

lookAtScreens(ON_PHONE, [...WORK, ...OVERLAYS, ...STATES])
