import { Suspense } from 'react'
import { Plural } from '#say/react'
import { LIMITS } from '../../../contract/limits.ts'
import { countCharacters } from '../../../contract/text.ts'
import { Field } from '../../ui/field.tsx'
import { lazyPart } from '../optional-part.tsx'
import { RichText } from '../rich-text.tsx'
import { FRAME, TEXT_AREA, type TextFieldProps, TOOLBAR } from './text-frame.ts'

const TextEditor = lazyPart(async () => (await import('./text-editor.tsx')).TextEditor)

/** Share of the limit from which the remaining length is shown. */
const NEARLY = 0.9

/** The text of a post; the editor is loaded on first use. */
export function TextField(props: Omit<TextFieldProps, 'control'> & { error?: string | undefined }) {
  const { error, ...rest } = props
  return (
    <Field label={props.label} error={error} hint={roomLeft(props.value)}>
      {(control) => (
        <Suspense
          fallback={
            <div className={FRAME}>
              <div className={TOOLBAR} />
              <RichText html={props.value} className={TEXT_AREA} />
            </div>
          }
        >
          <TextEditor control={control} {...rest} />
        </Suspense>
      )}
    </Field>
  )
}

function roomLeft(html: string) {
  if (html.length < LIMITS.postBody * NEARLY) return undefined
  const left = LIMITS.postBody - countCharacters(html)
  if (left > LIMITS.postBody * (1 - NEARLY)) return undefined
  return (
    <span role="status">
      {left < 0 ? (
        <Plural value={-left} one="# character too many, formatting included" other="# characters too many, formatting included" />
      ) : (
        <Plural value={left} one="# character left, formatting included" other="# characters left, formatting included" />
      )}
    </span>
  )
}
