import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { t } from '#say'
import { appearanceAtom, chooseUserThemeAtom, ownEverywhereAtom, previewThemeAtom, userThemeAtom } from '../../atoms/theme.ts'
import { ThemePicker } from '../../components/fields/theme-picker.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { appearanceOptions } from '../../components/shell/person-menu.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { Segments } from '../../ui/segments.tsx'

export function Appearance() {
  const [appearance, setAppearance] = useAtom(appearanceAtom)
  const [ownEverywhere, setOwnEverywhere] = useAtom(ownEverywhereAtom)
  const saved = useAtomValue(userThemeAtom)
  const [preview, setPreview] = useAtom(previewThemeAtom)
  const choose = useSetAtom(chooseUserThemeAtom)
  const act = useAct()
  useEffect(() => () => setPreview(null), [setPreview])
  return (
    <div className="grid gap-6">
      <Segments label={t`Light or dark`} options={appearanceOptions()} value={appearance} onChange={setAppearance} />
      <ThemePicker value={preview ?? saved} onChange={(theme) => void act(() => choose(theme))} />
      <Switch
        label={t`Use my colours everywhere`}
        hint={t`Otherwise each open collection has its own colours.`}
        checked={ownEverywhere}
        onCheckedChange={setOwnEverywhere}
      />
    </div>
  )
}
