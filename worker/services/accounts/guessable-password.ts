import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import { fieldError } from '../../http/errors.ts'

/** Loaded at the first use, because it is large. */
let common: Promise<Set<string>> | undefined

async function loadCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].map(String).filter((password) => password.length >= LIMITS.passwordMin))
}

/** Throws `invalid` for a password that people try first: a common one, or the person's own address. `field` is the name in the body. */
export async function refuseGuessable(password: string, { email, field }: { email: string; field: string }): Promise<void> {
  const plain = password.trim().toLowerCase()
  const isOwn = [email, email.split('@')[0]].includes(plain)
  if (!isOwn) {
    common ??= loadCommon()
    if (!(await common).has(plain)) return
  }
  const message = isOwn
    ? t`Your e-mail address is what people try first. Choose another password`
    : t`This password is one of those that people try first. Choose another`
  throw fieldError('invalid', field, message)
}
