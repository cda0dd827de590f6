import type { ControlProps } from '../../ui/field.tsx'

export interface TextFieldProps {
  control: ControlProps
  label: string
  /** Sanitised HTML. */
  value: string
  placeholder: string
  onChange: (html: string) => void
  /** A person was mentioned in the text with an @. */
  onTag?: ((personId: string) => void) | undefined
}

/** Shared by the editor and its placeholder, so that nothing moves when the editor loads. */
export const FRAME =
  'flex min-h-56 flex-col overflow-hidden rounded-md border border-control bg-page focus-within:border-ring ' +
  'focus-within:outline-1 focus-within:outline-ring data-invalid:border-danger'
export const TOOLBAR = 'flex h-10 shrink-0 items-center gap-0.5 border-b px-1 pointer-coarse:h-12'
export const TEXT_AREA = 'px-3 py-2.5 text-base'
