import { PHONE } from '../../support/people.ts'
import { lookAtScreens } from './look.ts'

lookAtScreens({ size: 'phone', viewport: PHONE, enlarged: { width: 320, height: 640 } })
