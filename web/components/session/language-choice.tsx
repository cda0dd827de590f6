import { useAtomValue, useSetAtom } from 'jotai'
import { t } from '#say'
import { OFFERED } from '../../../contract/language/languages.ts'
import { chooseLanguageAtom, languageAtom } from '../../atoms/language.ts'
import { Select } from '../../ui/select.tsx'

export const languageOptions = OFFERED.map(({ tag, name }) => ({ value: tag as string, label: name }))

/** The language of this device, for who is not signed in. */
export function LanguageChoice() {
  const shown = useAtomValue(languageAtom)
  const choose = useSetAtom(chooseLanguageAtom)
  return (
    <Select
      id="language-choice"
      aria-label={t`Language`}
      value={shown}
      options={languageOptions}
      onValueChange={(language) => void choose(language)}
      className="w-fit text-sm"
    />
  )
}
