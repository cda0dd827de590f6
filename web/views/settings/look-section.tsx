import { useAtom, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { type Collection, CollectionIcon } from '../../../contract/collections.ts'
import { COLLECTION_THEME } from '../../../contract/colors.ts'
import { may } from '../../../contract/policy.ts'
import type { Theme } from '../../../contract/themes.ts'
import { updateCollectionAtom, updateCollectionThemeAtom } from '../../atoms/change-collections.ts'
import { personalAtom } from '../../atoms/personal.ts'
import { previewThemeAtom } from '../../atoms/theme.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { CollectionBadge } from '../../components/collection-icon.tsx'
import { IconPicker } from '../../components/fields/icon-picker.tsx'
import { ThemePicker } from '../../components/fields/theme-picker.tsx'
import { FormFailure } from '../../components/overlays/form-failure.tsx'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

/** Name, icon and colours; read-only without permission to change them. */
export function LookSection({ collection }: { collection: Collection }) {
  if (may(collection.role, 'collection.edit')) return <LookForm collection={collection} />
  return (
    <SettingsSection title={t`Collection`} description={t`Admins and the owner can change its name and appearance.`}>
      <p className="flex items-center gap-4">
        <CollectionBadge icon={collection.icon} theme={collection.theme} size={44} />
        <span className="text-lg font-semibold break-words">{collection.name}</span>
      </p>
    </SettingsSection>
  )
}

function sameTheme(one: Theme, other: Theme): boolean {
  return (
    one.primary === other.primary &&
    one.neutral === other.neutral &&
    one.radius === other.radius &&
    one.blackAsPrimary === other.blackAsPrimary
  )
}

interface Draft {
  name?: string
  icon?: ReturnType<typeof CollectionIcon.parse>
  theme?: Theme
}

/** Edits by collection. They stay when the settings are left. */
const draftsAtom = personalAtom<Readonly<Record<string, Draft>>>({})
const UNEDITED: Draft = {}

function LookForm({ collection }: { collection: Collection }) {
  const saved = collection.theme ?? COLLECTION_THEME
  const savedIcon = CollectionIcon.catch('default').parse(collection.icon)
  // Only the fields being changed here; the others follow changes by other users.
  const [{ [collection.id]: draft = UNEDITED }, setDrafts] = useAtom(draftsAtom)
  const setDraft = (next: Draft) => setDrafts((all) => ({ ...all, [collection.id]: next }))
  const { name = collection.name, icon = savedIcon, theme = saved } = draft
  const renamed = name !== collection.name || icon !== savedIcon
  const recoloured = !sameTheme(theme, saved)
  usePreview(recoloured ? theme : null)

  const save = useSave(collection)
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    await save(renamed ? { name, icon } : null, recoloured ? theme : null)
    // Changes made while it was being saved stay.
    setDrafts((all) => (all[collection.id] === draft ? { ...all, [collection.id]: UNEDITED } : all))
  })
  const discard = () => {
    setDraft(UNEDITED)
    // The button goes.
    formRef.current?.querySelector('input')?.focus()
  }
  return (
    <SettingsSection title={t`Collection`} description={t`All members see this name and these colours.`}>
      <form ref={formRef} onSubmit={submit} noValidate className="grid gap-6">
        <FormFailure failure={failure} busy={busy} onRetry={submit} />
        <Field label={t`Name`} error={fields.name}>
          {(control) => (
            <Input
              {...control}
              value={name}
              onChange={(event) => setDraft({ ...draft, name: event.target.value })}
              autoComplete="off"
              required
            />
          )}
        </Field>
        <IconPicker value={icon} onChange={(icon) => setDraft({ ...draft, icon })} />
        <ThemePicker value={theme} onChange={(theme) => setDraft({ ...draft, theme })} />
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" loading={busy} disabledReason={renamed || recoloured ? undefined : t`No changes to save`}>
            <Trans>Save changes</Trans>
          </Button>
          {(renamed || recoloured) && (
            <Button variant="ghost" onClick={discard}>
              <Trans>Discard</Trans>
            </Button>
          )}
        </div>
      </form>
    </SettingsSection>
  )
}

/** Previews the theme on the whole screen, until it is saved or the page is left. */
function usePreview(theme: Theme | null) {
  const preview = useSetAtom(previewThemeAtom)
  useEffect(() => preview(theme), [preview, theme])
  useEffect(() => () => preview(null), [preview])
}

function useSave({ id }: Collection) {
  const update = useSetAtom(updateCollectionAtom)
  const updateTheme = useSetAtom(updateCollectionThemeAtom)
  const addToast = useSetAtom(addToastAtom)
  return async (edit: Parameters<typeof update>[1] | null, theme: Theme | null) => {
    if (edit) await update(id, edit)
    if (theme) await updateTheme(id, theme)
    addToast({ title: t`Saved`, color: 'success', icon: 'check-circle' })
  }
}
