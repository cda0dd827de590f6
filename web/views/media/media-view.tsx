import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useDeferredValue, useRef } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { assetsAtom, contentAtom, contentCompleteAtom, contentFailedAtom } from '../../atoms/content.ts'
import { visiblePostsAtom } from '../../atoms/filters.ts'
import { mediaArrangementAtom } from '../../atoms/media-options.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import { selectAtom } from '../../atoms/selection.ts'
import { ContentFailure } from '../../components/content/failure.tsx'
import { useContent } from '../../components/content/use-content.ts'
import { FilteredEmpty } from '../../components/filters/filtered-empty.tsx'
import { Lightbox } from '../../components/photos/lightbox.tsx'
import { OpenPost } from '../../components/posts/open-post.tsx'
import { NewMenu } from '../../components/shell/new-menu.tsx'
import { ViewHeader } from '../../components/shell/view-header.tsx'
import { useSimilar } from '../../components/similar/launch.ts'
import { DropZone } from '../../components/uploads/drop-zone.tsx'
import { type OpenItem, useOpenItem } from '../../components/use-open-item.ts'
import { useShortcut } from '../../components/use-shortcut.ts'
import { guestLink } from '../../lib/guest/link.ts'
import { textOf } from '../../lib/media-text.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx'
import { kindsAtom, modelAtom } from './media-atoms.ts'
import { type GridHandle, MediaGrid } from './media-grid.tsx'
import { MediaEmpty, MediaSkeleton } from './media-states.tsx'

export function MediaView() {
  const retry = useContent()
  const assets = useAtomValue(assetsAtom)
  const { loading, complete } = useAtomValue(contentAtom)
  const failed = useAtomValue(contentFailedAtom)
  const count = textOf(useAtomValue(kindsAtom))
  const item = useOpenItem()
  const some = assets.length > 0
  // The first rows are rendered in slices, while the skeleton is shown.
  const ready = useDeferredValue(some || !loading)
  return (
    <>
      <ViewHeader
        title={t`Media`}
        aside={assets.length > 0 && <span className="text-sm text-muted tabular-nums">{complete ? count : t`${count} so far`}</span>}
        actions={
          <>
            {assets.length > 0 && <ViewOptions />}
            <NewMenu />
          </>
        }
      />
      <div className="px-4 pb-24 lg:px-8">
        <ContentFailure onRetry={retry} className="pb-3" />
        {some && ready ? <Filled item={item} /> : failed ? null : loading || some ? <MediaSkeleton /> : <MediaEmpty />}
      </div>
      <OpenPost item={item} />
      <DropZone />
    </>
  )
}

function Filled({ item: [openId, setOpen] }: { item: OpenItem }) {
  const arrangement = useAtomValue(mediaArrangementAtom)
  const select = useSetAtom(selectAtom)
  const grid = useRef<GridHandle>(null)
  const model = useAtomValue(modelAtom)
  const complete = useAtomValue(contentCompleteAtom)
  const collectionId = useAtomValue(selectedCollectionIdAtom)
  const posts = useAtomValue(visiblePostsAtom).length > 0
  useShortcut('select-all', () =>
    select(
      model.order.map(({ id }) => id),
      true,
    ),
  )
  return (
    <>
      {model.order.length === 0 ? (
        <FilteredEmpty title={posts ? t`No matching photos, videos or files` : undefined} />
      ) : (
        <MediaGrid
          model={model}
          list={`media:${collectionId}`}
          complete={complete}
          arrangement={arrangement}
          handle={grid}
          onOpen={setOpen}
        />
      )}
      <Lightbox
        openId={openId}
        assets={model.order}
        onShow={setOpen}
        onClose={(id) => {
          setOpen(null)
          grid.current?.focusItem(id)
        }}
      />
    </>
  )
}

function ViewOptions() {
  const [arrangement, setArrangement] = useAtom(mediaArrangementAtom)
  const findSimilar = useSimilar()
  return (
    <Menu
      trigger={
        <Button variant="ghost" icon="grid-view" iconOnly>
          <Trans>View options</Trans>
        </Button>
      }
    >
      <MenuLabel>
        <Trans>Arrangement</Trans>
      </MenuLabel>
      <MenuChoice
        value={arrangement}
        onChange={setArrangement}
        options={[
          { value: 'days', label: t`By day`, icon: 'calendar-today' },
          { value: 'masonry', label: t`Masonry`, icon: 'dashboard' },
        ]}
      />
      {!guestLink && (
        <>
          <MenuSeparator />
          <MenuItem icon="content-copy" onSelect={findSimilar}>
            <Trans>Find similar photos</Trans>
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
