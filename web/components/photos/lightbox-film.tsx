import { useSetAtom } from 'jotai'
import type { Asset } from '../../../contract/assets.ts'
import { removeFilmAtom } from '../../atoms/films.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../overlays/confirm-dialog.tsx'
import { useAct } from '../overlays/use-act.ts'

/** Removes the version of a video that more browsers play, for those who may edit the video. */
export function LightboxFilm({ asset }: { asset: Asset }) {
  const remove = useSetAtom(removeFilmAtom)
  const confirm = useConfirm()
  const act = useAct()
  const ask = async () => {
    const question = {
      title: 'Remove the playable version?',
      description: `The original of ${asset.name} stays. Most browsers will not be able to play it.`,
      confirm: 'Remove',
      danger: true,
    }
    if (await confirm(question)) await act(() => remove(asset))
  }
  return (
    <section aria-label="Playable version" className="border-t px-5 pt-5 pb-8 text-sm">
      <p className="text-muted">Most browsers cannot play the original, so there is a version that plays everywhere.</p>
      <Button variant="ghost" size="sm" icon="delete" className="mt-3" onClick={() => void ask()}>
        Remove the playable version
      </Button>
    </section>
  )
}
