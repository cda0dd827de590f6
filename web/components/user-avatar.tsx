import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { avatarsAtom, ensureAvatarsAtom } from '../atoms/avatars.ts'
import { avatarUrl } from '../lib/media.ts'
import { Avatar, type AvatarSize } from '../ui/avatar.tsx'

interface UserAvatarProps {
  /** Missing for a person without an account. */
  userId: string | null | undefined
  /** Shown beside it. */
  name: string
  size: AvatarSize
  /** Version of the picture where the row has it; without it, the members of the open collection are asked. */
  version?: string | null
}

/** A user's picture, or the initials of their name. */
export function UserAvatar({ userId, name, size, version }: UserAvatarProps) {
  const known = useAtomValue(avatarsAtom)
  const ensure = useSetAtom(ensureAvatarsAtom)
  const missing = typeof userId === 'string' && version === undefined && !known.has(userId)
  useEffect(() => {
    if (missing) void ensure()
  }, [missing, ensure])
  const shown = typeof userId === 'string' ? (known.has(userId) ? known.get(userId) : version) : null
  return <Avatar alt={name} size={size} decorative {...(userId && shown ? { src: avatarUrl(userId, shown) } : {})} />
}
