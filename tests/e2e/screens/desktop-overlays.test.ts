import { lookAtScreens, ON_DESKTOP } from './look.ts'
import { OVERLAYS } from './overlays.ts'
import { STATES } from './states.ts'

lookAtScreens(ON_DESKTOP, [...OVERLAYS, ...STATES])
