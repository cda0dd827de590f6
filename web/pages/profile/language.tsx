import { useAtomValue, useSetAtom } from 'jotai'
import { t } from '#say'
import { LANGUAGE_COOKIE, LANGUAGES, type Language, languageFor, offeredFor } from '../../../contract/language/languages.ts'
import { updateProfileAtom } from '../../atoms/change-profile.ts'
import { chooseLanguageAtom } from '../../atoms/language.ts'
import { profileAtom } from '../../atoms/profile.ts'
import { languageOptions } from '../../components/session/language-choice.tsx'
import { useSetting } from '../../components/use-setting.ts'
import { readCookie } from '../../lib/storage.ts'
import { Select } from '../../ui/select.tsx'

/** No language of one's own: that of the browser. */
const AUTOMATIC = ''

/** The language of the app, of mails and notifications. A choice is saved at once. */
export function LanguageSetting() {
  const profile = useAtomValue(profileAtom)
  const update = useSetAtom(updateProfileAtom)
  const chooseOnDevice = useSetAtom(chooseLanguageAtom)
  // Chosen before sign-in.
  const ofDevice = offeredFor(readCookie(LANGUAGE_COOKIE) ?? '') ?? AUTOMATIC
  const [chosen, choose] = useSetting<string>(profile?.displayLanguage ?? ofDevice, async (value) => {
    const language = (value || null) as Language | null
    await update({ displayLanguage: language })
    await chooseOnDevice(language)
  })
  const ofBrowser = LANGUAGES.find(({ tag }) => tag === languageFor(navigator.languages))?.name ?? ''
  return (
    <Select
      id="language-choice"
      aria-label={t`Language`}
      value={chosen}
      options={[{ value: AUTOMATIC, label: t`Automatic (${{ label: ofBrowser }})` }, ...languageOptions]}
      onValueChange={choose}
      className="max-w-xs"
    />
  )
}
