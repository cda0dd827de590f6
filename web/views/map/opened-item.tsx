import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { assetsAtom, postsAtom } from '../../atoms/content.ts'
import { Lightbox } from '../../components/photos/lightbox.tsx'
import { OpenPost } from '../../components/posts/open-post.tsx'
import { useOpenItem } from '../../components/use-open-item.ts'

export interface Opened {
  id: string | null
  set: (id: string | null) => void
}

/** The item that the address names, a post or an asset. */
export function useOpened(): Opened {
  const [id, set] = useOpenItem()
  return { id, set }
}

/** The lightbox or the post that is open. `among` are the ids that it was opened from: the arrow keys of the lightbox stay with them. */
export function OpenedItem({ opened: { id, set }, among }: { opened: Opened; among: readonly string[] | null }) {
  const assets = useAtomValue(assetsAtom)
  const post = useAtomValue(postsAtom).find((one) => one.id === id)
  const shown = useMemo(() => {
    if (!among || !id || !among.includes(id)) return assets
    const wanted = new Set(among)
    return assets.filter((asset) => wanted.has(asset.id))
  }, [assets, among, id])
  if (post) return <OpenPost item={[id, set]} />
  return <Lightbox openId={id} assets={shown} onShow={set} onClose={() => set(null)} />
}
