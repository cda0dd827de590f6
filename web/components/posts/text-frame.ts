import type { ControlProps } from '../../ui/field.tsx'

export interface TextFieldProps {
  control: ControlProps
  label: string
  /** Sanitised HTML. */
  value: string
  placeholder: string
  onChange: (html: string) => void
  /** Somebody was named in the text by an @. */
  onTag?: ((personId: string) => void) | undefined
}

/** The same before and after the editor has come, so that nothing jumps. */
export const FRAME =
  'flex min-h-56 flex-col overflow-hidden rounded-md border border-control bg-page focus-within:border-ring ' +
  'focus-within:outline-1 focus-within:outline-ring data-invalid:border-danger'
export const TOOLBAR = 'flex h-10 shrink-0 items-center gap-0.5 border-b px-1 pointer-coarse:h-12'
export const TEXT_AREA = 'px-3 py-2.5 text-base'
