import { useSetAtom } from 'jotai'
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { setAvatarAtom } from '../../atoms/change-profile.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { useObjectUrl } from '../../components/use-object-url.ts'
import { ActionError } from '../../lib/action-error.ts'
import { type Crop, MAX_ZOOM, middleOf, moved, zoomed, zoomOf } from '../../lib/photos/crop.ts'
import { shrink } from '../../lib/uploads/renditions.ts'
import { asksForFocus } from '../../ui/asks-for-focus.ts'

/** Longest side in pixels of what is sent: enough for a small picture, even of a part. */
const SENT = 1024
/** Part of the square that one press of an arrow key moves it. */
const STEP = 0.05

interface Picture {
  blob: Blob
  width: number
  height: number
}

/** Decodes a file, upright and without its metadata. Throws for a file that the browser cannot decode. */
export async function readPicture(file: File): Promise<Picture> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch((cause: unknown) => {
    throw new ActionError(t`This picture could not be read`, new Error(t`Choose a JPEG, PNG or WebP file.`, { cause }))
  })
  try {
    return await shrink(bitmap, SENT)
  } finally {
    bitmap.close()
  }
}

/** Chooses the square of a picture that is shown to others. */
export function PictureDialog({ picture, open, close, onClosed }: OverlayProps<void> & { picture: Picture }) {
  const [crop, setCrop] = useState(middleOf(picture))
  const save = useSetAtom(setAvatarAtom)
  const addToast = useSetAtom(addToastAtom)
  const zoomId = useId()
  const form = useSubmit(async () => {
    await save(picture.blob, crop)
    addToast({ title: t`Picture saved`, color: 'success', icon: 'check-circle' })
    close()
  })
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={close}
      onClosed={onClosed}
      size="sm"
      title={t`Crop your picture`}
      description={
        <Trans>
          Drag it to where you like it<span className="pointer-coarse:hidden">, or use the arrow keys</span>.
        </Trans>
      }
      action={<Trans>Save picture</Trans>}
    >
      <CropArea picture={picture} crop={crop} onCrop={setCrop} />
      <div className="grid gap-1">
        <label htmlFor={zoomId} className="text-sm font-medium">
          <Trans>Zoom</Trans>
        </label>
        <input
          id={zoomId}
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={zoomOf(crop, picture)}
          aria-valuetext={`${Math.round(zoomOf(crop, picture) * 100)}%`}
          onChange={(event) => setCrop(zoomed(crop, picture, event.target.valueAsNumber))}
          className="h-6 w-full cursor-pointer accent-(--accent) pointer-coarse:h-11"
        />
      </div>
    </FormDialog>
  )
}

interface CropAreaProps {
  picture: Picture
  crop: Crop
  onCrop: (crop: Crop) => void
}

/** The square shows what is used: the picture is moved below it. */
function CropArea({ picture, crop, onCrop }: CropAreaProps) {
  const url = useObjectUrl(picture.blob)
  const from = useRef<{ x: number; y: number } | null>(null)
  const onPointerMove = ({ clientX: x, clientY: y, currentTarget }: PointerEvent) => {
    if (!from.current) return
    const side = currentTarget.clientWidth
    onCrop(moved(crop, picture, (from.current.x - x) / side, (from.current.y - y) / side))
    from.current = { x, y }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const [right, down] = ARROWS[event.key] ?? [0, 0]
    if (right === 0 && down === 0) return
    event.preventDefault()
    onCrop(moved(crop, picture, right * STEP, down * STEP))
  }
  const percent = (pixels: number) => `${(pixels / crop.size) * 100}%`
  return (
    // An application, because a screen reader passes arrow keys to no other role that moves in two directions.
    <div
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved with the arrow keys
      tabIndex={0}
      {...asksForFocus(true)}
      aria-label={t`Position of the picture: ${positionOf(crop, picture)}`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, y: event.clientY }
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = null
      }}
      onPointerCancel={() => {
        from.current = null
      }}
      className="relative mx-auto aspect-square w-full max-w-72 cursor-grab touch-none overflow-hidden rounded-lg bg-muted select-none active:cursor-grabbing"
    >
      {url && (
        <img
          src={url}
          alt=""
          draggable={false}
          className="absolute max-w-none"
          style={{ left: percent(-crop.x), top: percent(-crop.y), width: percent(picture.width), height: percent(picture.height) }}
        />
      )}
      <span className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_100vmax_var(--scrim)] ring-2 ring-white/80 ring-inset" />
    </div>
  )
}

const ARROWS: Record<string, readonly [right: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Where the square is, as parts of the way from the left and from the top. */
function positionOf({ x, y, size }: Crop, { width, height }: Picture): string {
  const part = (at: number, room: number) => `${room < 1 ? 50 : Math.round((at / room) * 100)}%`
  return t`${part(x, width - size)} from the left, ${part(y, height - size)} from the top`
}
