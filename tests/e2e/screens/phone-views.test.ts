import { GUESTS } from './guests.ts'
import { lookAtScreens, ON_PHONE } from './look.ts'
import { SITE } from './site.ts'
import { VIEWS } from './views.ts'

lookAtScreens(ON_PHONE, [...SITE, ...VIEWS, ...GUESTS])
