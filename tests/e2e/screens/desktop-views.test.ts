import { lookAtScreens, ON_DESKTOP } from './look.ts'
import { VIEWS } from './views.ts'

lookAtScreens(ON_DESKTOP, VIEWS)
