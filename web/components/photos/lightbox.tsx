import { useAtomValue } from 'jotai'
import { Suspense, useMemo, useRef } from 'react'
import type { Asset } from '../../../contract/assets.ts'
import { assetsAtom } from '../../atoms/content.ts'
import { tilesAtom } from '../../atoms/tiles.ts'
import { rowsById } from '../../lib/content/merge.ts'
import { lazyPart } from '../optional-part.tsx'
import { WaitingPart } from '../waiting-part.tsx'
import type { LightboxProps } from './lightbox-screen.tsx'

const LightboxScreen = lazyPart(async () => (await import('./lightbox-screen.tsx')).LightboxScreen)

/**
 * One asset over the whole page. Loaded when the first asset is opened. `assets` are to swipe through: if the open one leaves them, as they were
 * when it was among them, without those that are gone; if it never was, all of the collection.
 */
export function Lightbox({ openId, assets, ...rest }: Omit<LightboxProps, 'index'> & { openId: string | null }) {
  const all = useAtomValue(assetsAtom)
  const tiles = useAtomValue(tilesAtom)
  // The cover stands for the other parts of its group.
  const indexIn = (list: readonly Asset[]) => {
    if (openId === null) return -1
    const exact = list.findIndex(({ id }) => id === openId)
    const cover = exact < 0 ? rowsById(all).get(openId)?.group?.cover : undefined
    return cover ? list.findIndex(({ id }) => id === cover) : exact
  }
  const last = useRef(assets)
  const among = openId === null || indexIn(assets) >= 0
  if (among) last.current = assets
  const kept = useMemo(() => (among ? assets : last.current.flatMap(({ id }) => rowsById(all).get(id) ?? [])), [among, assets, all])
  const shown = indexIn(kept) >= 0 ? kept : tiles
  const index = indexIn(shown)
  const asset = shown[index]
  if (!asset) return null
  return (
    <Suspense fallback={<WaitingPart className="z-38 bg-black" onClose={() => rest.onClose(asset.id)} />}>
      <LightboxScreen {...rest} assets={shown} index={index} />
    </Suspense>
  )
}
