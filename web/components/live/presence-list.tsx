import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { numberText } from '#language'
import { plural, t } from '#say'
import { Plural, Trans } from '#say/react'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { UserAvatar } from '../user-avatar.tsx'

export interface Whereabouts {
  key: string | number
  /** Missing for guests, and where it is not known. */
  id: string | undefined
  name: string
  editing: boolean
  /** `Ana – Timeline` */
  text: string
  /** Link to their view, unless this version of the app does not know it. */
  to: string | undefined
}

/** Further people are only counted. */
const SHOWN = 4
const SHOWN_NARROW = 2

/** Each person links to the view that they have open; on a narrow screen, one button opens the list. `more` people are not in it. */
export function PresenceList({ people, more }: { people: Whereabouts[]; more: number }) {
  const rest = people.slice(SHOWN)
  const others = rest.length + more
  const all = people.length + more
  return (
    <>
      <ul aria-label={t`Here now`} className="hidden items-center -space-x-1.5 pe-1.5 sm:flex">
        {people.slice(0, SHOWN).map((person) => (
          <li key={person.key} className="flex focus-within:z-10">
            <Tooltip text={person.text} side="bottom">
              {person.to ? (
                <Link to={person.to} className="rounded-full">
                  <Face person={person} />
                  <span className="sr-only">{person.text}</span>
                </Link>
              ) : (
                <span role="img" aria-label={person.text}>
                  <Face person={person} />
                </span>
              )}
            </Tooltip>
          </li>
        ))}
        {others > 0 && (
          <li className="flex">
            <WhereMenu people={rest} more={more} label={t`${plural(others, { one: '# more here now', other: '# more here now' })}`}>
              <span className="grid h-8 min-w-8 place-items-center rounded-full border-2 border-(color:--bg) bg-muted px-1.5 text-xs font-medium text-muted tabular-nums">
                +{numberText(others)}
              </span>
            </WhereMenu>
          </li>
        )}
      </ul>
      <div className="flex sm:hidden">
        <WhereMenu people={people} more={more} label={t`${plural(all, { one: '# here now', other: '# here now' })}`}>
          <span className="flex h-11 min-w-11 items-center justify-center -space-x-2">
            {people.slice(0, SHOWN_NARROW).map((person) => (
              <Face key={person.key} person={person} />
            ))}
            {all > SHOWN_NARROW && (
              <span className="grid size-8 place-items-center rounded-full border-2 border-(color:--bg) bg-muted text-xs font-medium text-muted tabular-nums">
                +{numberText(all - SHOWN_NARROW)}
              </span>
            )}
          </span>
        </WhereMenu>
      </div>
    </>
  )
}

function Face({ person: { id, name, editing } }: { person: Whereabouts }) {
  return (
    <span aria-hidden="true" className="relative inline-flex rounded-full border-2 border-(color:--bg)">
      <UserAvatar userId={id} name={name} size="sm" />
      {editing && (
        <span className="absolute -end-1 -bottom-1 grid size-4 place-items-center rounded-full bg-accent text-on-accent">
          <Icon name="edit" size={12} />
        </span>
      )}
    </span>
  )
}

function WhereMenu({ people, more, label, children }: { people: Whereabouts[]; more: number; label: string; children: ReactNode }) {
  return (
    <Menu
      trigger={
        <button type="button" className="rounded-full">
          <span aria-hidden="true" className="grid">
            {children}
          </span>
          <span className="sr-only">{label}</span>
        </button>
      }
    >
      <MenuLabel>
        <Trans>Here now</Trans>
      </MenuLabel>
      {people.map(({ key, id, name, text, to }) => (
        <MenuItem key={key} asChild={to !== undefined}>
          {to ? (
            <Link to={to}>
              <UserAvatar userId={id} name={name} size="xs" />
              {text}
            </Link>
          ) : (
            text
          )}
        </MenuItem>
      ))}
      {more > 0 && (
        <MenuLabel>
          {people.length > 0 ? (
            <Plural value={more} one="and # more" other="and # more" />
          ) : (
            <Plural value={more} one="# person" other="# people" />
          )}
        </MenuLabel>
      )}
    </Menu>
  )
}
