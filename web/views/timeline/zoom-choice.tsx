import type { Zoom } from '../../lib/timeline/digest.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuChoice, MenuLabel } from '../../ui/menu.tsx'
import { Segments } from '../../ui/segments.tsx'

interface ZoomChoiceProps {
  zoom: Zoom
  onZoom: (zoom: Zoom) => void
}

const LABELS: Record<Zoom, string> = { day: 'Day', month: 'Month', year: 'Year' }
const OPTIONS = (['day', 'month', 'year'] as const).map((value) => ({ value, label: LABELS[value] }))

/** Side by side where there is room; on a phone one button, so that the bar stays one line. */
export function ZoomChoice({ zoom, onZoom }: ZoomChoiceProps) {
  return (
    <>
      <div className="max-sm:hidden">
        <Segments label="Zoom" hideLabel options={OPTIONS} value={zoom} onChange={onZoom} />
      </div>
      <div className="-ml-2 flex sm:hidden">
        <Menu
          align="start"
          trigger={
            <Button variant="ghost" size="snug" aria-label={`Zoom: ${LABELS[zoom]}`} className="-mx-0.5">
              {LABELS[zoom]}
              <Icon name="keyboard-arrow-down" size={18} className="-ml-1.5" />
            </Button>
          }
        >
          <MenuLabel>Zoom</MenuLabel>
          <MenuChoice value={zoom} onChange={onZoom} options={OPTIONS} />
        </Menu>
      </div>
    </>
  )
}
