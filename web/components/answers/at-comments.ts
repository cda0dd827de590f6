import { useAtom } from 'jotai'
import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router'
import { AT_COMMENTS } from '../../../contract/comments-path.ts'
import { atCommentsAtom } from '../../atoms/at-comments.ts'

/** Shows the comments of an item that was opened for them: from a card, or by a link. */
export function useAtComments(id: string | undefined, show: () => void): void {
  const [wanted, setWanted] = useAtom(atCommentsAtom)
  const { hash } = useLocation()
  const onShow = useEffectEvent(show)
  const linked = useEffectEvent(() => hash === AT_COMMENTS)
  const here = id !== undefined && wanted === id
  useEffect(() => {
    if (!here) return
    setWanted(null)
    onShow()
  }, [here, setWanted])
  // Once: the hash stays while the user goes on to other items.
  useEffect(() => {
    if (linked()) onShow()
  }, [])
}
