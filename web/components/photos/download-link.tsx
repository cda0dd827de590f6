import type { ComponentProps, MouseEvent } from 'react'
import type { Asset } from '../../../contract/assets.ts'
import { seesExactly } from '../../../contract/places.ts'
import { downloadUrl } from '../../lib/media.ts'
import { saveFiles } from '../../lib/save-files.ts'
import { useAct } from '../overlays/use-act.ts'

/** A link to the original, which can be copied. If the server may refuse it because of its place, it is asked first, and a toast says why. */
export function DownloadLink({ asset, ...props }: { asset: Asset } & ComponentProps<'a'>) {
  const act = useAct()
  const askFirst = (event: MouseEvent) => {
    if (seesExactly(asset)) return
    event.preventDefault()
    void act(() => saveFiles([asset]))
  }
  return <a {...props} href={downloadUrl(asset)} download={asset.name} onClick={askFirst} />
}
