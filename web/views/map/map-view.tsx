import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import { t } from '#say'
import { Plural } from '#say/react'
import { contentAtom, contentFailedAtom, postsAtom } from '../../atoms/content.ts'
import { filteringAtom, visibleAssetsAtom, visiblePostsAtom } from '../../atoms/filters.ts'
import { locatedAtom } from '../../atoms/map.ts'
import { ContentFailure } from '../../components/content/failure.tsx'
import { useContent } from '../../components/content/use-content.ts'
import { FilteredEmpty } from '../../components/filters/filtered-empty.tsx'
import { Lightbox } from '../../components/photos/lightbox.tsx'
import { OpenPost } from '../../components/posts/open-post.tsx'
import { NewMenu } from '../../components/shell/new-menu.tsx'
import { ViewHeader } from '../../components/shell/view-header.tsx'
import { DropZone } from '../../components/uploads/drop-zone.tsx'
import { useNotifyFirstRender } from '../../components/use-notify-first-render.ts'
import { type OpenItem, useOpenItem } from '../../components/use-open-item.ts'
import { MapScreen } from './map-screen.tsx'
import { MapSkeleton } from './map-states.tsx'

export function MapView() {
  const retry = useContent()
  const { posts, assets, loading, complete } = useAtomValue(contentAtom)
  const failed = useAtomValue(contentFailedAtom)
  const filtering = useAtomValue(filteringAtom)
  const located = useAtomValue(locatedAtom)
  const visible = useAtomValue(visiblePostsAtom).length + useAtomValue(visibleAssetsAtom).length > 0
  const item = useOpenItem()
  const [among, setAmong] = useState<readonly string[] | null>(null)
  const some = posts.length + assets.length > 0
  useNotifyFirstRender(some || !loading)
  return (
    <div className="flex h-[calc(100dvh-7rem-1px-env(safe-area-inset-top)-env(safe-area-inset-bottom)-var(--bulk-bar,0px))] min-h-96 flex-col lg:h-[calc(100dvh-var(--bulk-bar,0px))]">
      <ViewHeader
        title={t`Map`}
        aside={
          located.length > 0 && (
            <span className="text-sm text-muted tabular-nums">
              {complete ? (
                <Plural value={located.length} one="# on the map" other="# on the map" />
              ) : (
                <Plural value={located.length} one="# on the map so far" other="# on the map so far" />
              )}
            </span>
          )
        }
        actions={<NewMenu />}
      />
      <ContentFailure onRetry={retry} className="px-4 pb-3 lg:px-8" />
      {failed ? null : some && filtering && !visible ? (
        <FilteredEmpty />
      ) : some || !loading ? (
        <MapScreen
          onOpen={(id, ids) => {
            setAmong(ids ?? null)
            item[1](id)
          }}
        />
      ) : (
        <div className="relative min-h-0 grow border-t">
          <MapSkeleton />
        </div>
      )}
      <OpenedItem item={item} among={among} />
      <DropZone />
    </div>
  )
}

/** The open lightbox or post. `among` are the ids that it was opened from: the arrow keys of the lightbox stay within them. */
function OpenedItem({ item, among }: { item: OpenItem; among: readonly string[] | null }) {
  const [id, set] = item
  const assets = useAtomValue(visibleAssetsAtom)
  const post = useAtomValue(postsAtom).find((one) => one.id === id)
  const shown = useMemo(() => {
    if (!among || !id || !among.includes(id)) return assets
    const wanted = new Set(among)
    return assets.filter((asset) => wanted.has(asset.id))
  }, [assets, among, id])
  if (post) return <OpenPost item={item} />
  return <Lightbox openId={id} assets={shown} onShow={set} onClose={() => set(null)} />
}
