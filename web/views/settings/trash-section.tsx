import { useLocation } from 'react-router'
import { LIMITS } from '../../../contract/limits.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { TRASH_OPEN } from '../../components/trash/host.tsx'
import { changed } from '../../components/use-view-param.ts'
import { ButtonLink } from '../../ui/button-link.tsx'

/** The way to what was deleted. */
export function TrashSection() {
  const { pathname, search } = useLocation()
  return (
    <SettingsSection title="Trash" description={`Posts, photos and files that were deleted can be restored for ${LIMITS.trashDays} days.`}>
      <ButtonLink to={{ pathname, search: changed(search, TRASH_OPEN) }} icon="delete">
        Open the trash
      </ButtonLink>
    </SettingsSection>
  )
}
