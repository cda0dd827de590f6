import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ActionError } from '../../lib/action-error.ts'
import { ApiError, type ApiErrorCode } from '../../lib/api.ts'
import { messageOf } from '../../lib/message-of.ts'

export interface SubmitFailure {
  /** For the form as a whole; empty while it shows the error of a field. */
  message: string
  /** The same, shown or not. */
  sentence: string
  fields: Record<string, string>
  code: ApiErrorCode | null
}

export type Form = ReturnType<typeof useSubmit>

/** Runs a form's action, one at a time. The input is kept on failure, and the first invalid field gets the focus. */
export function useSubmit(action: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<SubmitFailure | null>(null)
  const formRef = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (!failure) return
    const form = formRef.current
    form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    // The form may lack the field that was refused.
    const isShown = Object.values(failure.fields).some((text) => form?.textContent.includes(text))
    if (!failure.message && !isShown) setFailure({ ...failure, message: failure.sentence })
  }, [failure])

  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      await action()
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, fields: failure?.fields ?? {}, formRef, submit: (event?: FormEvent) => void submit(event) }
}

function failureOf(error: unknown): SubmitFailure {
  const cause = error instanceof ActionError ? error.cause : error
  const fields = cause instanceof ApiError ? cause.fields : {}
  const sentence = sentenceOf(error)
  const hasFieldErrors = Object.keys(fields).length > 0
  return { message: hasFieldErrors ? '' : sentence, sentence, fields, code: cause instanceof ApiError ? cause.code : null }
}

function sentenceOf(error: unknown): string {
  return error instanceof ActionError && error.detail ? `${error.message}: ${error.detail}` : messageOf(error)
}
