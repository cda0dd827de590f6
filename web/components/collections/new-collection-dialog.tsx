import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import { COLLECTION_THEME } from '../../../contract/colors.ts'
import type { CollectionIconName } from '../../../contract/icons.ts'
import { newId } from '../../../contract/ids.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Theme } from '../../../contract/themes.ts'
import { createCollectionAtom } from '../../atoms/change-collections.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { CollectionBadge } from '../collection-icon.tsx'
import { IconPicker } from '../fields/icon-picker.tsx'
import { ThemePicker } from '../fields/theme-picker.tsx'
import { FormDialog } from '../overlays/form-dialog.tsx'
import { useDiscard } from '../overlays/use-discard.ts'
import { useSubmit } from '../overlays/use-submit.ts'

export function NewCollectionDialog({ open, close, onClosed }: OverlayProps<Collection>) {
  // Created once, so that a retry after a lost response does not create a second collection.
  const [id] = useState(() => newId())
  const [name, setName] = useState('')
  const [icon, setIcon] = useState<CollectionIconName>('default')
  const [theme, setTheme] = useState<Theme>(COLLECTION_THEME)
  const create = useSetAtom(createCollectionAtom)
  const form = useSubmit(async () => close(await create({ id, name, icon, theme })))
  const dirty = name.trim() !== '' || icon !== 'default' || theme !== COLLECTION_THEME
  const discard = useDiscard(dirty && !form.busy, () => close())
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={() => void discard()}
      onClosed={onClosed}
      title={t`New collection`}
      description={t`A trip, a family, a garden through the years. You can invite people later.`}
      action={<Trans>Create collection</Trans>}
      color={theme.primary}
    >
      <Field label={t`Name`} error={form.fields.name}>
        {(control) => (
          <div className="flex items-center gap-3">
            <CollectionBadge icon={icon} theme={theme} size={40} />
            <Input
              {...control}
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder={t`Summer in Kyoto`}
              maxLength={LIMITS.collectionName * 4}
              autoComplete="off"
              autoFocus
              required
            />
          </div>
        )}
      </Field>
      <IconPicker value={icon} onChange={setIcon} />
      <ThemePicker value={theme} onChange={setTheme} simple />
    </FormDialog>
  )
}
