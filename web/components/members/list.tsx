import { say } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Member } from '../../../contract/members.ts'
import { InviteRole, mayAssign, type Role } from '../../../contract/policy.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { ROLE_EXPLANATIONS, ROLE_NAMES } from '../roles.ts'
import { ROW, ROWS } from '../settings-section.tsx'
import { useSetting } from '../use-setting.ts'
import { UserAvatar } from '../user-avatar.tsx'

interface MemberListProps {
  members: Member[]
  myId: string | null
  myRole: Role
  onChangeRole: (member: Member, role: InviteRole) => Promise<unknown>
  onRemove: (member: Member, row: Element | null) => void
}

export function MemberList({ members, ...rest }: MemberListProps) {
  return (
    <ul className={ROWS}>
      {members.map((member) => (
        <MemberRow key={member.user_id} member={member} {...rest} />
      ))}
    </ul>
  )
}

function MemberRow({ member, myId, myRole, onChangeRole, onRemove }: Omit<MemberListProps, 'members'> & { member: Member }) {
  const self = member.user_id === myId
  const manageable = !self && mayAssign(myRole, member.role)
  const [role, choose] = useSetting(InviteRole.catch('read').parse(member.role), (next) => onChangeRole(member, next))
  return (
    <li className={ROW}>
      <UserAvatar userId={member.user_id} name={member.name} version={member.avatar} size="lg" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium">
          {member.name}
          {self && (
            <span className="font-normal text-muted">
              {' '}
              <Trans>(you)</Trans>
            </span>
          )}
        </p>
        <p className="text-sm break-words text-muted">
          {member.email && member.email !== member.name ? member.email : say(ROLE_EXPLANATIONS[member.role])}
        </p>
      </div>
      {manageable ? (
        <div className="flex items-center gap-1">
          <Select
            aria-label={t`Role of ${member.name}`}
            className="min-w-32"
            value={role}
            onValueChange={choose}
            options={InviteRole.options.map((value) => ({ value, label: say(ROLE_NAMES[value]), disabled: !mayAssign(myRole, value) }))}
          />
          <Button
            variant="ghost"
            icon="person-remove"
            iconOnly
            onClick={({ currentTarget }) => onRemove(member, currentTarget.closest('li'))}
          >
            {t`Remove ${member.name}`}
          </Button>
        </div>
      ) : (
        <span className="rounded-full bg-muted px-2.5 py-1 text-xs font-medium">{say(ROLE_NAMES[member.role])}</span>
      )}
    </li>
  )
}
