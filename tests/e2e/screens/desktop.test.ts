import { DESKTOP } from '../../support/people.ts'
import { lookAtScreens } from './look.ts'

lookAtScreens({
  size: 'desktop',
  viewport: DESKTOP,
  enlarged: { width: 720, height: 450 },
  primaries: ['red', 'yellow', 'teal', 'violet', 'black'],
})
