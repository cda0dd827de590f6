import { say } from '#language'
import { t } from '#say'
import { InviteRole, mayAssign, type Role } from '../../../contract/policy.ts'
import { RadioList } from '../../ui/radio-list.tsx'
import { ROLE_EXPLANATIONS, ROLE_NAMES } from '../roles.ts'

interface RolePickerProps {
  value: InviteRole
  onChange: (role: InviteRole) => void
  /** Role of the user who chooses. */
  actor: Role
}

/** The roles that the user may grant, each with a description. */
export function RolePicker({ value, onChange, actor }: RolePickerProps) {
  const options = InviteRole.options.map((role) => {
    const allowed = mayAssign(actor, role)
    return {
      value: role,
      label: say(ROLE_NAMES[role]),
      hint: allowed ? say(ROLE_EXPLANATIONS[role]) : t`Only the owner can add an admin.`,
      disabled: !allowed,
    }
  })
  return <RadioList label={t`Role`} value={value} onChange={onChange} options={options} />
}
