import { RadioGroup } from 'radix-ui'
import { useId } from 'react'

interface RadioOption<T> {
  value: T
  label: string
  hint: string
  disabled?: boolean
}

interface RadioListProps<T> {
  label: string
  value: T
  onChange: (value: T) => void
  options: readonly RadioOption<T>[]
}

/** One choice of a few, each with a sentence that explains it. */
export function RadioList<T extends string>({ label, value, onChange, options }: RadioListProps<T>) {
  const id = useId()
  return (
    <div className="grid gap-2">
      <span id={id} className="text-sm font-medium">
        {label}
      </span>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        // Radix passes one of the values below.
        onValueChange={(next) => onChange(next as T)}
        className="divide-y overflow-hidden rounded-lg border"
      >
        {options.map((option) => (
          <label
            key={option.value}
            htmlFor={`${id}-${option.value}`}
            className="flex items-start gap-3 px-4 py-3 has-data-[state=checked]:bg-accent-faint has-disabled:cursor-not-allowed"
          >
            <RadioGroup.Item
              id={`${id}-${option.value}`}
              value={option.value}
              disabled={option.disabled}
              className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border border-control bg-page disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
            >
              <RadioGroup.Indicator className="size-2 rounded-full bg-(--on-accent)" />
            </RadioGroup.Item>
            <span className="text-sm">
              <span className="block font-medium">{option.label}</span>
              <span className="block text-muted">{option.hint}</span>
            </span>
          </label>
        ))}
      </RadioGroup.Root>
    </div>
  )
}
