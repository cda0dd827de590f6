import { useId, useRef, useState } from 'react'
import { t } from '#say'
import { type Place, placeName, searchPlaces } from '../../lib/map/location-search.ts'
import { messageOf } from '../../lib/message-of.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'
import { NotChosen, useLeft } from '../not-chosen.tsx'
import { useInView } from './use-in-view.ts'

interface LocationSearchProps {
  id?: string
  label?: string
  /** The location in the field. Shown when text was typed but no location chosen. */
  selectedKey?: string
  onChoose: (place: Place) => void
}

/** Searches for a town by name. */
export function LocationSearch({ id, label = t`Search for a place`, selectedKey, onChoose }: LocationSearchProps) {
  const list = useId()
  const [text, setText] = useState('')
  const [found, setFound] = useState<Place[] | string | null>(null)
  const [active, setActive] = useState(0)
  const { left, onFocus, onBlur } = useLeft()
  const unchosen = left ? text.trim() : ''
  const places = Array.isArray(found) ? found : []
  const shown = useInView<HTMLDivElement>(found === null ? null : places.length)

  // Results of an outdated query are dropped.
  const latest = useRef('')
  const search = (wanted: string) => {
    setText(wanted)
    setActive(0)
    latest.current = wanted
    if (wanted.trim() === '') return setFound(null)
    const show = (answer: Place[] | string) => latest.current === wanted && setFound(answer)
    searchPlaces(wanted).then(show, (error) => show(messageOf(error)))
  }
  const choose = (place: Place | undefined) => {
    if (!place) return
    latest.current = ''
    setText('')
    setFound(null)
    onChoose(place)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    // The input method has not finished composing.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && found !== null) setFound(null)
    else if (event.key === 'ArrowDown' && places.length > 0) setActive((active + 1) % places.length)
    else if (event.key === 'ArrowUp' && places.length > 0) setActive((active + places.length - 1) % places.length)
    else if (event.key === 'Enter' && found !== null) choose(places[active])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  // A location chosen elsewhere, for example on the map, clears the search text.
  const [lastKey, setLastKey] = useState(selectedKey)
  if (lastKey !== selectedKey) {
    setLastKey(selectedKey)
    setText('')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only detects that the focus has left
    <div
      className="relative"
      onFocus={onFocus}
      onBlur={(event) => {
        onBlur(event)
        if (event.currentTarget.contains(event.relatedTarget)) return
        // Results that are still loading must not open the list.
        latest.current = ''
        setFound(null)
      }}
    >
      <Input
        id={id}
        icon="search"
        role="combobox"
        aria-label={label}
        aria-expanded={places.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={places.length > 0 ? `${list}-${active}` : undefined}
        autoComplete="off"
        placeholder={t`Search for a town`}
        value={text}
        onChange={(event) => search(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={() => text.trim() !== '' && search(text)}
      />
      {selectedKey !== undefined && <NotChosen message={unchosen && t`“${unchosen}” is not added: choose a town from the list.`} />}
      {found !== null && (
        <div ref={shown} className="absolute inset-x-0 top-full z-20 mt-1 overflow-hidden rounded-lg border bg-raised py-1 shadow-raised">
          {places.length === 0 && (
            <p role="status" className="px-3 py-2 text-sm text-muted">
              {typeof found === 'string' ? found : t`No towns match. You can choose the place on the map.`}
            </p>
          )}
          <div id={list} role="listbox" aria-label={t`Places`}>
            {places.map((place, index) => (
              <div
                key={`${place.lat},${place.lon}`}
                id={`${list}-${index}`}
                role="option"
                aria-selected={index === active}
                tabIndex={-1}
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => setActive(index)}
                onClick={() => choose(place)}
                onKeyDown={() => undefined}
                className={cx(
                  'flex cursor-pointer items-center gap-2 px-3 py-2 text-sm pointer-coarse:py-3',
                  index === active && 'bg-muted',
                )}
              >
                <Icon name="location-on" size={16} className="text-(--text-muted)" />
                <span className="truncate">{placeName(place)}</span>
              </div>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}
