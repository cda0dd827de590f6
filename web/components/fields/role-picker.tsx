import { RadioGroup } from 'radix-ui'
import { useId } from 'react'
import { say } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import { InviteRole, mayAssign, type Role } from '../../../contract/policy.ts'
import { ROLE_EXPLANATIONS, ROLE_NAMES } from '../roles.ts'

interface RolePickerProps {
  value: InviteRole
  onChange: (role: InviteRole) => void
  /** Role of the user who chooses. */
  actor: Role
}

/** The roles that the user may grant, each with a description. */
export function RolePicker({ value, onChange, actor }: RolePickerProps) {
  const id = useId()
  return (
    <div className="grid gap-2">
      <span id={id} className="text-sm font-medium">
        <Trans>Role</Trans>
      </span>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onChange(InviteRole.parse(next))}
        className="divide-y overflow-hidden rounded-lg border"
      >
        {InviteRole.options.map((role) => {
          const allowed = mayAssign(actor, role)
          return (
            <label
              key={role}
              htmlFor={`${id}-${role}`}
              className="flex items-start gap-3 px-4 py-3 has-data-[state=checked]:bg-accent-faint has-disabled:cursor-not-allowed"
            >
              <RadioGroup.Item
                id={`${id}-${role}`}
                value={role}
                disabled={!allowed}
                className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border border-control bg-page disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
              >
                <RadioGroup.Indicator className="size-2 rounded-full bg-(--on-accent)" />
              </RadioGroup.Item>
              <span className="text-sm">
                <span className="font-medium">{say(ROLE_NAMES[role])}</span>
                <span className="block text-muted">{allowed ? say(ROLE_EXPLANATIONS[role]) : t`Only the owner can add an admin.`}</span>
              </span>
            </label>
          )
        })}
      </RadioGroup.Root>
    </div>
  )
}
