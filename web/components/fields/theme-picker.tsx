import { useId } from 'react'
import { type Said, say } from '#language'
import { msg, t } from '#say'
import { NEUTRAL_COLORS, PRIMARY_COLORS, RADII } from '../../../contract/colors.ts'
import type { Theme } from '../../../contract/themes.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import { moveInRadioGrid } from '../radio-grid.ts'

interface ThemePickerProps {
  value: Theme
  onChange: (theme: Theme) => void
  /** Colours only, for a quick start. */
  simple?: boolean
}

const COLOURS: Record<Theme['primary'], Said> = {
  red: msg({ message: 'Red', context: 'colour' }),
  orange: msg({ message: 'Orange', context: 'colour' }),
  amber: msg({ message: 'Amber', context: 'colour' }),
  yellow: msg({ message: 'Yellow', context: 'colour' }),
  lime: msg({ message: 'Lime', context: 'colour' }),
  green: msg({ message: 'Green', context: 'colour' }),
  emerald: msg({ message: 'Emerald', context: 'colour' }),
  teal: msg({ message: 'Teal', context: 'colour' }),
  cyan: msg({ message: 'Cyan', context: 'colour' }),
  sky: msg({ message: 'Sky', context: 'colour' }),
  blue: msg({ message: 'Blue', context: 'colour' }),
  indigo: msg({ message: 'Indigo', context: 'colour' }),
  violet: msg({ message: 'Violet', context: 'colour' }),
  purple: msg({ message: 'Purple', context: 'colour' }),
  fuchsia: msg({ message: 'Fuchsia', context: 'colour' }),
  pink: msg({ message: 'Pink', context: 'colour' }),
  rose: msg({ message: 'Rose', context: 'colour' }),
}

const GREYS: Record<Theme['neutral'], Said> = {
  slate: msg({ message: 'Slate', context: 'grey' }),
  gray: msg({ message: 'Gray', context: 'grey' }),
  zinc: msg({ message: 'Zinc', context: 'grey' }),
  neutral: msg({ message: 'Neutral', context: 'grey' }),
  stone: msg({ message: 'Stone', context: 'grey' }),
  tea: msg({ message: 'Tea', context: 'grey' }),
}

/** Names by radius in rem. */
const CORNERS: Record<Theme['radius'], Said> = {
  0: msg({ message: 'Square', context: 'corners' }),
  0.125: msg({ message: 'Crisp', context: 'corners' }),
  0.25: msg({ message: 'Soft', context: 'corners' }),
  0.375: msg({ message: 'Round', context: 'corners' }),
  0.5: msg({ message: 'Rounder', context: 'corners' }),
}

export function ThemePicker({ value, onChange, simple = false }: ThemePickerProps) {
  return (
    <div className="grid gap-5">
      <Choice
        label={t`Colour`}
        options={PRIMARY_COLORS}
        value={value.primary}
        onChange={(primary) => onChange({ ...value, primary })}
        nameOf={(primary) => say(COLOURS[primary])}
        wide={!simple}
        draw={(primary, chosen) => (
          <span
            data-primary={primary}
            className={cx(
              'size-6 rounded-full border border-(--primary-700) bg-(--primary-500)',
              chosen && 'outline-2 outline-offset-2 outline-(--text)',
            )}
          />
        )}
      />
      {!simple && (
        <>
          <Choice
            label={t`Greys`}
            options={NEUTRAL_COLORS}
            value={value.neutral}
            onChange={(neutral) => onChange({ ...value, neutral })}
            nameOf={(neutral) => say(GREYS[neutral])}
            named
            draw={(neutral) => (
              <span data-neutral={neutral} className="flex overflow-hidden rounded-full">
                <span className="size-3.5 bg-(--neutral-300)" />
                <span className="size-3.5 bg-(--neutral-500)" />
                <span className="size-3.5 bg-(--neutral-800)" />
              </span>
            )}
          />
          <Choice
            label={t`Corners`}
            options={RADII.map(String)}
            value={String(value.radius)}
            onChange={(radius) => onChange({ ...value, radius: RADII.find((known) => String(known) === radius) ?? value.radius })}
            nameOf={(radius) => say(CORNERS[Number(radius) as Theme['radius']])}
            named
            draw={(radius) => (
              <span
                style={{ borderTopLeftRadius: `${Number(radius) * 1.5}rem` }}
                className="size-4 border-t-2 border-s-2 border-(--text-muted)"
              />
            )}
          />
          <Switch
            label={t`Black as the main colour`}
            hint={t`Buttons and links are black, or white in dark mode.`}
            checked={value.blackAsPrimary}
            onCheckedChange={(blackAsPrimary) => onChange({ ...value, blackAsPrimary })}
          />
        </>
      )}
    </div>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  options: readonly T[]
  value: T
  onChange: (value: T) => void
  draw: (option: T, chosen: boolean) => React.ReactNode
  nameOf: (option: T) => string
  /** The name is beside the drawing. */
  named?: boolean
  /** Wider than its two lines of text need. */
  wide?: boolean
}

function Choice<T extends string>({ label, options, value, onChange, draw, nameOf, named = false, wide = false }: ChoiceProps<T>) {
  const labelId = useId()
  return (
    <div className="grid gap-2">
      <span id={labelId} className="text-sm font-medium">
        {label}
      </span>
      <div
        role="radiogroup"
        aria-labelledby={labelId}
        onKeyDown={moveInRadioGrid}
        className={cx('flex flex-wrap', named ? 'gap-2' : 'gap-1 sm:grid sm:grid-cols-9', wide && 'sm:w-fit')}
      >
        {options.map((option) => (
          // biome-ignore lint/a11y/useSemanticElements: a native radio button cannot hold a drawing
          <button
            key={option}
            type="button"
            role="radio"
            aria-checked={option === value}
            aria-label={named ? undefined : nameOf(option)}
            title={named ? undefined : nameOf(option)}
            tabIndex={option === value ? 0 : -1}
            onClick={() => onChange(option)}
            className={cx(
              'grid place-items-center',
              named
                ? 'h-9 grid-flow-col gap-2 rounded-md border border-strong px-2.5 text-sm aria-checked:border-accent aria-checked:bg-accent-faint pointer-coarse:h-11'
                : 'size-8 rounded-full pointer-coarse:size-11',
            )}
          >
            {draw(option, option === value)}
            {named && <span>{nameOf(option)}</span>}
          </button>
        ))}
      </div>
    </div>
  )
}
