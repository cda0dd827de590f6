import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { t } from '#say'
import type { Theme } from '../../../contract/themes.ts'
import { appearanceAtom, ownEverywhereAtom, previewThemeAtom, saveUserThemeAtom, userThemeAtom } from '../../atoms/theme.ts'
import { ThemePicker } from '../../components/fields/theme-picker.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { appearanceOptions } from '../../components/shell/person-menu.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { Segments } from '../../ui/segments.tsx'

export function Appearance() {
  const [appearance, setAppearance] = useAtom(appearanceAtom)
  const [ownEverywhere, setOwnEverywhere] = useAtom(ownEverywhereAtom)
  const saved = useAtomValue(userThemeAtom)
  const save = useSetAtom(saveUserThemeAtom)
  const preview = useSetAtom(previewThemeAtom)
  const [theme, setTheme] = useState(saved)
  const act = useAct()
  useEffect(() => setTheme(saved), [saved])
  useEffect(() => () => preview(null), [preview])
  const choose = async (next: Theme) => {
    setTheme(next)
    preview(next)
    if (!(await act(() => save(changesOf(theme, next))))) setTheme(saved)
    preview(null)
  }
  return (
    <div className="grid gap-6">
      <Segments label={t`Light or dark`} options={appearanceOptions()} value={appearance} onChange={setAppearance} />
      <ThemePicker value={theme} onChange={(next) => void choose(next)} />
      <Switch
        label={t`Use my colours everywhere`}
        hint={t`Otherwise each open collection has its own colours.`}
        checked={ownEverywhere}
        onCheckedChange={setOwnEverywhere}
      />
    </div>
  )
}

function changesOf(before: Theme, after: Theme): Partial<Theme> {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name as keyof Theme]))
}
