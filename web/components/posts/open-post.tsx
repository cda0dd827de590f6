import { useAtomValue } from 'jotai'
import { Suspense, useMemo, useRef } from 'react'
import { assetsAtom, postsAtom } from '../../atoms/content.ts'
import { visiblePostsAtom } from '../../atoms/filters.ts'
import { asTilesAtom } from '../../atoms/tiles.ts'
import { lazyPart } from '../optional-part.tsx'
import { Lightbox } from '../photos/lightbox.tsx'
import type { OpenItem } from '../use-open-item.ts'
import { useStepBack } from '../use-step-back.ts'
import { useViewParam } from '../use-view-param.ts'
import { WaitingPart } from '../waiting-part.tsx'

const PostReader = lazyPart(async () => (await import('./reader.tsx')).PostReader)

const asId = (text: string) => text || null

/** The post in the URL (`?item=`), over any view, or one of its photos (`&photo=`). */
export function OpenPost({ item: [id, setOpen] }: { item: OpenItem }) {
  const post = useAtomValue(postsAtom).find((one) => one.id === id)
  const visible = useAtomValue(visiblePostsAtom)
  const at = post ? visible.findIndex((one) => one.id === post.id) : -1
  const assets = useAtomValue(assetsAtom)
  const asTiles = useAtomValue(asTilesAtom)
  const [photo, setPhoto] = useViewParam('photo', asId)
  const stepBack = useStepBack('photo')
  const stepped = useRef(false)
  const scrolled = useRef(0)
  const pictures = useMemo(() => {
    const rows = new Map(post && photo ? assets.map((asset) => [asset.id, asset]) : [])
    return asTiles(post?.assets ?? []).flatMap((asset) => rows.get(asset.id) ?? [])
  }, [assets, asTiles, post, photo])
  if (!post) return null
  const showPhoto = (next: string) => {
    stepped.current = true
    setPhoto(next, 'push')
  }
  // Closing undoes the history entry that opening added.
  const hidePhoto = () => {
    if (stepped.current) stepBack()
    else setPhoto(null, 'replace')
    stepped.current = false
  }
  const leaf = (by: number) => {
    const next = at < 0 ? undefined : visible[at + by]
    return next && (() => setOpen(next.id))
  }
  const cover = photo && assets.find(({ id }) => id === photo)?.group?.cover
  if (photo && pictures.some(({ id }) => id === photo || id === cover))
    return <Lightbox openId={photo} assets={pictures} onShow={(next) => setPhoto(next, 'gather')} onClose={hidePhoto} />
  return (
    <Suspense fallback={<WaitingPart className="z-50 bg-scrim" onClose={() => setOpen(null)} />}>
      <PostReader
        post={post}
        scrolled={scrolled}
        onPrevious={leaf(-1)}
        onNext={leaf(1)}
        onOpenAsset={showPhoto}
        onClose={() => setOpen(null)}
      />
    </Suspense>
  )
}
