import { useAtomValue } from 'jotai'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { type Said, say } from '#language'
import { msg, t } from '#say'
import { Trans } from '#say/react'
import { contentAtom, contentFailedAtom } from '../../atoms/content.ts'
import { visibleDaysAtom } from '../../atoms/days.ts'
import { filteringAtom } from '../../atoms/filters.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import { ContentFailure } from '../../components/content/failure.tsx'
import { useContent } from '../../components/content/use-content.ts'
import { FilteredEmpty } from '../../components/filters/filtered-empty.tsx'
import { Lightbox } from '../../components/photos/lightbox.tsx'
import { OpenPost } from '../../components/posts/open-post.tsx'
import { NewMenu } from '../../components/shell/new-menu.tsx'
import { ViewHeader } from '../../components/shell/view-header.tsx'
import { DropZone } from '../../components/uploads/drop-zone.tsx'
import { useAddFiles } from '../../components/uploads/use-add-files.ts'
import { useNotifyFirstRender } from '../../components/use-notify-first-render.ts'
import { useGoneItem, useOpenItem } from '../../components/use-open-item.ts'
import { useViewParam } from '../../components/use-view-param.ts'
import { useWide } from '../../components/use-wide.ts'
import { today } from '../../lib/dates/moments.ts'
import { chooseScrollPosition } from '../../lib/scroll/scroll-positions.ts'
import { ZOOMS, type Zoom } from '../../lib/timeline/digest.ts'
import { onThisDay } from '../../lib/timeline/on-this-day.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuChoice, MenuLabel } from '../../ui/menu.tsx'
import { Segments } from '../../ui/segments.tsx'
import { EmptyState, Skeleton } from '../../ui/states.tsx'
import { OnThisDayStrip } from './on-this-day-strip.tsx'
import { SECTIONS } from './timeline-atoms.ts'
import { TimelineList } from './timeline-list.tsx'

/** Days, unless the URL names another zoom. */
function useZoom(): [Zoom, (zoom: Zoom) => void] {
  const [zoom, setZoom] = useViewParam('zoom', parseZoom)
  return [zoom ?? 'day', useCallback((next: Zoom) => setZoom(next === 'day' ? null : next, 'push'), [setZoom])]
}

function parseZoom(text: string): Zoom | null {
  return ZOOMS.find((zoom) => zoom === text) ?? null
}

export function TimelineView() {
  const retry = useContent()
  const { loading, complete } = useAtomValue(contentAtom)
  const failed = useAtomValue(contentFailedAtom)
  const [zoom, setZoom] = useZoom()
  const sections = useAtomValue(SECTIONS[zoom])
  const { days, posts: shownPosts, assets: shownAssets } = useAtomValue(visibleDaysAtom)
  const day = today()
  const anniversaries = useMemo(() => onThisDay(days, day), [days, day])
  const list = `timeline:${useAtomValue(selectedCollectionIdAtom)}`
  const filtering = useAtomValue(filteringAtom)
  const item = useOpenItem()
  const [openId, setOpen] = item
  const entered = useRef<string | null>(null)
  useGonePost()
  const choose = (next: Zoom) => {
    // The focus stays with the switch.
    entered.current = null
    setZoom(next)
  }
  return (
    <>
      <ViewHeader title={t`Timeline`} aside={sections.length > 0 && <ZoomChoice zoom={zoom} onZoom={choose} />} actions={<NewMenu />} />
      <div className="px-4 pb-24 lg:pe-11 lg:ps-8">
        <ContentFailure onRetry={retry} className="mx-auto max-w-2xl pb-4" />
        {sections.length > 0 ? (
          <TimelineList
            key={zoom}
            {...{ sections, zoom, list, complete }}
            posts={shownPosts}
            assets={shownAssets}
            onOpenAsset={setOpen}
            entered={entered}
            onOpenPeriod={(period) => {
              // The scroll position of the closer list.
              chooseScrollPosition(list, { key: '', below: 0, day: period })
              entered.current = period
              setZoom(period.length > 4 ? 'day' : 'month')
            }}
            above={(goTo) => zoom === 'day' && <OnThisDayStrip anniversaries={anniversaries} onGo={(day) => goTo(`day-${day}`)} />}
          />
        ) : failed ? null : loading ? (
          <TimelineSkeleton />
        ) : filtering ? (
          <FilteredEmpty />
        ) : (
          <TimelineEmpty />
        )}
      </div>
      <Lightbox openId={openId} assets={shownAssets} onShow={setOpen} onClose={() => setOpen(null)} />
      <OpenPost item={item} />
      <DropZone />
    </>
  )
}

/** Says so once if the post that the URL links to (`#post-…`) is not in the collection, or no longer. */
function useGonePost(): void {
  const id = /^#post-(.+)$/.exec(useLocation().hash)?.[1] ?? null
  const [done, setDone] = useState<string | null>(null)
  useGoneItem(
    done === id ? null : id,
    useCallback(() => setDone(id), [id]),
  )
}

function TimelineSkeleton() {
  return (
    <div role="status" aria-label={t`Loading the timeline`} className="mx-auto grid max-w-2xl gap-4">
      <Skeleton className="h-5 w-48" />
      <Skeleton rounded="xl" className="h-96 w-full" />
      <Skeleton className="mt-4 h-5 w-40" />
      <Skeleton rounded="xl" className="h-64 w-full" />
    </div>
  )
}

interface ZoomChoiceProps {
  zoom: Zoom
  onZoom: (zoom: Zoom) => void
}

const LABELS: Record<Zoom, Said> = { day: msg`Day`, month: msg`Month`, year: msg`Year` }
const options = () => (['day', 'month', 'year'] as const).map((value) => ({ value, label: say(LABELS[value]) }))

/** Side by side where there is room; on a phone one button, so that the bar stays on one line. */
function ZoomChoice({ zoom, onZoom }: ZoomChoiceProps) {
  const label = say(LABELS[zoom])
  return (
    <>
      <div className="max-sm:hidden">
        <Segments label={t`Zoom`} hideLabel options={options()} value={zoom} onChange={onZoom} />
      </div>
      <div className="-ms-2 flex sm:hidden">
        <Menu
          align="start"
          trigger={
            <Button variant="ghost" size="snug" aria-label={t`Zoom: ${label}`} className="-mx-0.5">
              {label}
              <Icon name="keyboard-arrow-down" size={18} className="-ms-1.5" />
            </Button>
          }
        >
          <MenuLabel>
            <Trans>Zoom</Trans>
          </MenuLabel>
          <MenuChoice value={zoom} onChange={onZoom} options={options()} />
        </Menu>
      </div>
    </>
  )
}

function TimelineEmpty() {
  useNotifyFirstRender()
  const { allowed } = useAddFiles()
  const wide = useWide()
  return (
    <EmptyState icon="view-timeline" title={t`Nothing here yet`}>
      {allowed && wide
        ? t`Posts and photos appear here by the day they happened. Drop some photos anywhere, or write the first post with New.`
        : t`Posts and photos appear here by the day they happened.`}
    </EmptyState>
  )
}
