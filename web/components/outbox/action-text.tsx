import type { ReactNode } from 'react'
import { Trans } from '#say/react'
import type { Action } from '../../lib/outbox/types.ts'

/** The change to the item with the title, in words: `First snow moved to another date`. */
export function actionText(action: Action, title: ReactNode): ReactNode {
  switch (action.kind) {
    case 'create':
    case 'comment':
      return <Trans>{title} written</Trans>
    case 'editPost':
    case 'editAsset':
      return <Trans>{title} changed</Trans>
    case 'link':
      return <Trans>{title} added to another collection</Trans>
    case 'unlink':
      return <Trans>{title} removed from a collection</Trans>
    case 'date':
      return <Trans>{title} moved to another date</Trans>
    case 'location':
      return action.location ? <Trans>{title} moved to another place</Trans> : <Trans>Place removed from {title}</Trans>
    case 'people':
      return <Trans>People changed in {title}</Trans>
    case 'trash':
      return <Trans>{title} moved to the trash</Trans>
    case 'editComment':
      if (action.to.hidden === undefined) return <Trans>{title} changed</Trans>
      return action.to.hidden ? <Trans>{title} hidden</Trans> : <Trans>{title} shown again</Trans>
    case 'deleteComment':
      return <Trans>{title} deleted</Trans>
    case 'react':
      return action.on ? <Trans>{title} added</Trans> : <Trans>{title} taken back</Trans>
    case 'undo':
      return <Trans>{title} restored</Trans>
  }
}
