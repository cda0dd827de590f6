import type { Collection } from '../../../contract/collections.ts'
import { may } from '../../../contract/policy.ts'
import { ExportLink } from '../../components/collections/export-link.tsx'
import { useImport } from '../../components/import/launch.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { Button } from '../../ui/button.tsx'

/** The way out with everything, and back in. */
export function ExportSection({ collection }: { collection: Collection }) {
  const startImport = useImport()
  return (
    <SettingsSection
      title="Export and import"
      description="A ZIP with every original, and all posts as a page that opens in any browser. Import takes it back, or what Google Photos, Day One or Immich gave you."
    >
      <div className="flex flex-wrap gap-2">
        <ExportLink collection={collection} />
        {may(collection.role, 'item.add') && (
          <Button icon="archive" onClick={() => startImport()}>
            Import…
          </Button>
        )}
      </div>
    </SettingsSection>
  )
}
