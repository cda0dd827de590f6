import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'

interface SearchInputProps {
  label: string
  value: string
  onChange: (value: string) => void
}

/** Filters a visible list. */
export function SearchInput({ label, value, onChange }: SearchInputProps) {
  return (
    <div className="relative">
      <Icon name="search" size={18} className="pointer-events-none absolute top-1/2 start-2.5 -translate-y-1/2 text-(--text-muted)" />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
        className="ps-9"
      />
    </div>
  )
}
