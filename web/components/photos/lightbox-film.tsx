import { useSetAtom } from 'jotai'
import { t } from '#say'
import { Trans } from '#say/react'
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
      title: t`Remove the playable version?`,
      description: t`The original of ${asset.name} stays. Most browsers will not be able to play it.`,
      confirm: t`Remove`,
      danger: true,
    }
    if (await confirm(question)) await act(() => remove(asset))
  }
  return (
    <section aria-label={t`Playable version`} className="border-t px-5 pt-5 pb-8 text-sm">
      <p className="text-muted">
        <Trans>Most browsers cannot play the original, so there is a version that plays everywhere.</Trans>
      </p>
      <Button variant="ghost" size="sm" icon="delete" className="mt-3" onClick={() => void ask()}>
        <Trans>Remove the playable version</Trans>
      </Button>
    </section>
  )
}
