import { type Said, say } from '#language'
import { msg, t } from '#say'
import { Trans } from '#say/react'
import { type Action, MEMBER_ROLES, may } from '../../../contract/policy.ts'
import { ROLE_NAMES } from '../../components/roles.ts'
import { Icon } from '../../ui/icon.tsx'

const RIGHTS: { label: Said; action: Action; own?: true }[] = [
  { label: msg`See everything, search, download`, action: 'collection.see' },
  { label: msg`Add posts and photos, tag people`, action: 'item.add' },
  { label: msg`Edit and remove their own items`, action: 'item.edit', own: true },
  { label: msg`Edit and remove all items`, action: 'item.edit' },
  { label: msg`Invite and remove readers and writers`, action: 'members.manage' },
  { label: msg`Change name, icon and colours`, action: 'collection.edit' },
  { label: msg`Add and remove admins`, action: 'members.grantAdmin' },
  { label: msg`Transfer and delete the collection`, action: 'collection.delete' },
]

/** The permissions of each role, from the table that the server uses. */
export function RolesTable() {
  return (
    <details className="group mt-4 text-sm">
      <summary className="inline-flex min-h-9 cursor-pointer items-center gap-1.5 rounded-md text-muted hover:text-default pointer-coarse:min-h-11">
        <Icon name="chevron-right" size={18} className="transition-transform duration-(--fast) group-open:rotate-90" />
        <Trans>Role permissions</Trans>
      </summary>
      {/* Positions text for screen readers within it, which would otherwise widen the page. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <section aria-label={t`Role permissions`} tabIndex={0} className="relative mt-2 overflow-x-auto rounded-lg border">
        <table className="w-full min-w-130 border-collapse">
          <thead>
            <tr className="border-b">
              <td />
              {MEMBER_ROLES.map((role) => (
                <th key={role} scope="col" className="w-20 px-2 py-2 text-center text-xs font-medium text-muted">
                  {say(ROLE_NAMES[role])}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y">
            {RIGHTS.map(({ label, action, own }) => (
              <tr key={own ? `${action} own` : action}>
                <th scope="row" className="px-4 py-2 text-start font-normal">
                  {say(label)}
                </th>
                {MEMBER_ROLES.map((role) => (
                  <td key={role} className="px-2 text-center">
                    {may(role, action, own) ? <Yes /> : <span className="text-muted">–</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

function Yes() {
  return (
    <>
      <Icon name="check" size={18} className="mx-auto text-accent" />
      <span className="sr-only">
        <Trans>yes</Trans>
      </span>
    </>
  )
}
