import { useSetAtom } from 'jotai'
import { Link } from 'react-router'
import { t } from '#say'
import { railNarrowAtom } from '../../atoms/rail.ts'
import { PATHS } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Mark } from '../../ui/mark.tsx'
import { latePart, OptionalPart } from '../optional-part.tsx'
import { CollectionPicker } from './collection-picker.tsx'
import { ConnectionState } from './connection-state.tsx'
import { PersonMenu } from './person-menu.tsx'
import { RailLinks } from './view-links.tsx'

const UploadStatus = latePart(async () => (await import('../uploads/tray.tsx')).UploadStatus)

export function Rail({ narrow }: { narrow: boolean }) {
  const setNarrow = useSetAtom(railNarrowAtom)
  return (
    <aside
      aria-label={t`Collections and views`}
      className={cx('sticky top-0 flex h-dvh flex-col gap-5 border-e bg-rail py-4', narrow ? 'items-center px-2' : 'px-3')}
    >
      <div className={cx('flex items-center justify-between', narrow && 'flex-col gap-3')}>
        <Link to={PATHS.collections} aria-label={t`Cairn: all collections`} className="flex items-center gap-2.5 rounded-md px-1.5 py-1">
          <Mark size={26} />
          {!narrow && <span className="text-[1.0625rem] font-semibold tracking-tight">Cairn</span>}
        </Link>
        <Button
          variant="plain"
          size="sm"
          icon={narrow ? 'left-panel-open' : 'left-panel-close'}
          iconOnly
          aria-expanded={!narrow}
          onClick={() => setNarrow(!narrow)}
        >
          {narrow ? t`Expand sidebar` : t`Collapse sidebar`}
        </Button>
      </div>
      <CollectionPicker narrow={narrow} />
      <nav aria-label={t`Views`} className="grow">
        <RailLinks narrow={narrow} />
      </nav>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <ConnectionState />
        <OptionalPart>
          <UploadStatus compact={narrow} />
        </OptionalPart>
        <PersonMenu compact={narrow} />
      </div>
    </aside>
  )
}
