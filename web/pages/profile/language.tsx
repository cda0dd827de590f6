import { useAtomValue, useSetAtom } from 'jotai'
import { useOptimistic, useTransition } from 'react'
import { t } from '#say'
import { LANGUAGES, type Language, languageFor } from '../../../contract/language/languages.ts'
import { updateProfileAtom } from '../../atoms/change-profile.ts'
import { profileAtom } from '../../atoms/profile.ts'
import { useAct } from '../../components/overlays/use-act.ts'
import { languageOptions } from '../../components/session/language-choice.tsx'
import { Select } from '../../ui/select.tsx'

/** No language of one's own: that of the browser. */
const AUTOMATIC = ''

/** The language of the app, of mails and notifications. A choice is saved at once. */
export function LanguageSetting() {
  const profile = useAtomValue(profileAtom)
  const update = useSetAtom(updateProfileAtom)
  const act = useAct()
  const [, startTransition] = useTransition()
  const [chosen, setChosen] = useOptimistic(profile?.displayLanguage ?? AUTOMATIC)
  const ofBrowser = LANGUAGES.find(({ tag }) => tag === languageFor(navigator.languages))?.name ?? ''
  const choose = (value: string) =>
    startTransition(async () => {
      setChosen(value)
      await act(() => update({ displayLanguage: (value || null) as Language | null }))
    })
  return (
    <Select
      aria-label={t`Language`}
      value={chosen}
      options={[{ value: AUTOMATIC, label: t`Automatic (${{ label: ofBrowser }})` }, ...languageOptions]}
      onValueChange={choose}
      className="max-w-xs"
    />
  )
}
