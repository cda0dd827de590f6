import { Input } from '../../ui/input.tsx'

interface SearchInputProps {
  label: string
  value: string
  onChange: (value: string) => void
}

/** Filters a visible list. */
export function SearchInput({ label, value, onChange }: SearchInputProps) {
  return (
    <Input
      type="search"
      icon="search"
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
    />
  )
}
