import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { type Ref, useDeferredValue, useEffect, useRef, useState } from 'react'
import { t } from '#say'
import { assetsAtom, postsAtom } from '../../atoms/content.ts'
import { searchAtom, setSearchAtom } from '../../atoms/filters.ts'
import { foldAhead } from '../../lib/filters/fold-ahead.ts'
import { SEARCH_LIMIT } from '../../lib/filters/text.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'

interface FilterSearchProps {
  label: string
  className?: string
  field?: Ref<HTMLInputElement>
}

/** The search field of a view. The field updates at once; the results are deferred. */
export function FilterSearch({ label, className, field }: FilterSearchProps) {
  const [text, setText] = useSearchText()
  const fold = useFoldAhead()
  return (
    <div className={cx('relative', className)}>
      <Icon name="search" size={18} className="pointer-events-none absolute top-1/2 start-2.5 -translate-y-1/2 text-(--text-muted)" />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={SEARCH_LIMIT}
        onFocus={fold}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (text === '') event.currentTarget.blur()
          else setText('')
        }}
        className="h-9 w-full min-w-0 rounded-md border border-control bg-page pe-9 ps-8.5 text-sm transition-[border-color] duration-(--fast) placeholder:text-(--text-muted) hover:border-(--text-muted) focus-visible:border-ring focus-visible:outline-1 focus-visible:outline-offset-0 pointer-coarse:h-11 pointer-coarse:text-base [&::-webkit-search-cancel-button]:hidden"
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={t`Clear search`}
          onClick={({ currentTarget }) => {
            setText('')
            currentTarget.parentElement?.querySelector('input')?.focus()
          }}
          className="absolute inset-y-0 end-0 grid w-9 place-items-center rounded-md text-muted hover:text-default pointer-coarse:w-11"
        >
          <Icon name="close" size={16} />
        </button>
      )}
    </div>
  )
}

/** Focus in the field means that a search is about to start. */
function useFoldAhead(): () => void {
  const store = useStore()
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])
  return () => {
    stop.current()
    stop.current = foldAhead([...store.get(postsAtom), ...store.get(assetsAtom)])
  }
}

/** Text of the field. A search that is set elsewhere, by Back or "Clear all", replaces it; the field's own deferred value does not. */
function useSearchText(): [string, (text: string) => void] {
  const search = useAtomValue(searchAtom)
  const setSearch = useSetAtom(setSearchAtom)
  const store = useStore()
  const sent = useRef(search)
  const [state, setState] = useState({ text: search, typed: false })
  const deferred = useDeferredValue(state)
  useEffect(() => {
    if (!deferred.typed) return
    setSearch(deferred.text)
    sent.current = store.get(searchAtom)
  }, [deferred, setSearch, store])
  useEffect(() => {
    if (search === sent.current || search !== store.get(searchAtom)) return
    sent.current = search
    setState({ text: search, typed: false })
  }, [search, store])
  return [state.text, (text) => setState({ text, typed: true })]
}
