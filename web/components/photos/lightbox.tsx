import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import type { Asset } from '../../../contract/assets.ts'
import { assetsAtom } from '../../atoms/content.ts'
import { lazyPart } from '../optional-part.tsx'
import { WaitingPart } from '../waiting-part.tsx'
import type { LightboxProps } from './lightbox-screen.tsx'

const LightboxScreen = lazyPart(async () => (await import('./lightbox-screen.tsx')).LightboxScreen)

/** One asset over the whole page, with `assets` to swipe through. Loaded when the first asset is opened. */
export function Lightbox({ openId, assets, ...rest }: Omit<LightboxProps, 'index'> & { openId: string | null; assets: readonly Asset[] }) {
  const all = useAtomValue(assetsAtom)
  // The cover stands for the other parts of its group.
  const exact = assets.findIndex(({ id }) => id === openId)
  const cover = exact < 0 && openId !== null ? all.find(({ id }) => id === openId)?.group?.cover : undefined
  const index = cover ? assets.findIndex(({ id }) => id === cover) : exact
  const asset = assets[index]
  if (!asset) return null
  return (
    <Suspense fallback={<WaitingPart className="z-38 bg-black" onClose={() => rest.onClose(asset.id)} />}>
      <LightboxScreen {...rest} assets={assets} index={index} />
    </Suspense>
  )
}
