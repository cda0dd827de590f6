import { GUESTS } from './guests.ts'
import { lookAtScreens, ON_DESKTOP } from './look.ts'
import { SITE } from './site.ts'
import { WORK } from './work.ts'

lookAtScreens(ON_DESKTOP, [...SITE, ...WORK, ...GUESTS])
