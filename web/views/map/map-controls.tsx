import type { BaseMap } from '../../components/map/use-base-map.ts'
import { Button } from '../../ui/button.tsx'

/** Zoom and fit buttons, for users without a wheel. */
export function MapControls({ base: { map }, onFit }: { base: BaseMap; onFit: () => void }) {
  return (
    <div className="absolute top-3 right-3 z-2 grid overflow-hidden rounded-lg border bg-raised shadow-raised *:rounded-none">
      <Button variant="ghost" icon="add" iconOnly onClick={() => map.zoomIn()}>
        Zoom in
      </Button>
      <Button variant="ghost" icon="remove" iconOnly onClick={() => map.zoomOut()}>
        Zoom out
      </Button>
      <Button variant="ghost" icon="fit-screen" iconOnly onClick={onFit}>
        Fit to all items
      </Button>
    </div>
  )
}
