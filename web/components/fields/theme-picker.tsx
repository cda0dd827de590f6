import { useId } from 'react'
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

/** Names by radius in rem. */
const CORNERS: Record<string, string> = { 0: 'Square', 0.125: 'Crisp', 0.25: 'Soft', 0.375: 'Round', 0.5: 'Rounder' }

const sentence = (word: string) => word[0]?.toUpperCase() + word.slice(1)

export function ThemePicker({ value, onChange, simple = false }: ThemePickerProps) {
  return (
    <div className="grid gap-5">
      <Choice
        label="Colour"
        options={PRIMARY_COLORS}
        value={value.primary}
        onChange={(primary) => onChange({ ...value, primary })}
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
            label="Greys"
            options={NEUTRAL_COLORS}
            value={value.neutral}
            onChange={(neutral) => onChange({ ...value, neutral })}
            words={sentence}
            draw={(neutral) => (
              <span data-neutral={neutral} className="flex overflow-hidden rounded-full">
                <span className="size-3.5 bg-(--neutral-300)" />
                <span className="size-3.5 bg-(--neutral-500)" />
                <span className="size-3.5 bg-(--neutral-800)" />
              </span>
            )}
          />
          <Choice
            label="Corners"
            options={RADII.map(String)}
            value={String(value.radius)}
            onChange={(radius) => onChange({ ...value, radius: RADII.find((known) => String(known) === radius) ?? value.radius })}
            words={(radius) => CORNERS[radius] ?? radius}
            draw={(radius) => (
              <span
                style={{ borderTopLeftRadius: `${Number(radius) * 1.5}rem` }}
                className="size-4 border-t-2 border-l-2 border-(--text-muted)"
              />
            )}
          />
          <Switch
            label="Black as the main colour"
            hint="Buttons and links are black, or white in dark mode."
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
  /** Label beside the drawing. */
  words?: (option: T) => string
  /** Wider than its two lines of text need. */
  wide?: boolean
}

function Choice<T extends string>({ label, options, value, onChange, draw, words, wide = false }: ChoiceProps<T>) {
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
        className={cx('flex flex-wrap', words ? 'gap-2' : 'gap-1 sm:grid sm:grid-cols-9', wide && 'sm:w-fit')}
      >
        {options.map((option) => (
          // biome-ignore lint/a11y/useSemanticElements: a native radio button cannot hold a drawing
          <button
            key={option}
            type="button"
            role="radio"
            aria-checked={option === value}
            aria-label={words ? undefined : sentence(option)}
            title={words ? undefined : sentence(option)}
            tabIndex={option === value ? 0 : -1}
            onClick={() => onChange(option)}
            className={cx(
              'grid place-items-center',
              words
                ? 'h-9 grid-flow-col gap-2 rounded-md border border-strong px-2.5 text-sm aria-checked:border-accent aria-checked:bg-accent-faint pointer-coarse:h-11'
                : 'size-8 rounded-full pointer-coarse:size-11',
            )}
          >
            {draw(option, option === value)}
            {words && <span>{words(option)}</span>}
          </button>
        ))}
      </div>
    </div>
  )
}
