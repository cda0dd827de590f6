import { t } from '#say'
import { AppError, fieldError } from './errors.ts'
import { MAX_FORM, readBytes, SLOW_TIMEOUT } from './read-body.ts'

const FORM = /^\s*multipart\/form-data\s*;/i

/** Bytes. */
const MAX_SMALL_FORM = 4_096

export const isForm = (request: Request) => FORM.test(request.headers.get('content-type') ?? '')

/**
 * Reads a body of multipart/form-data into memory. Throws 413 for more than MAX_FORM bytes, and 400 if it is broken or has a field twice or with
 * a name that is not in `names`.
 */
export async function readForm<const N extends string>(request: Request, names: readonly N[]): Promise<Partial<Record<N, string | File>>> {
  return Object.fromEntries(await readFields(request, names)) as Partial<Record<N, string | File>>
}

/** One field of a small form of either type: mail programs choose it. Null without it. */
export async function readField(request: Request, name: string): Promise<string | null> {
  const bytes = await readBytes(request, MAX_SMALL_FORM)
  const value = (await parse(bytes, request.headers.get('content-type') ?? '')).get(name)
  return typeof value === 'string' ? value : null
}

/** As `readForm`, of a form in which a person chooses `several` files. */
export async function readFormOfFiles<const N extends string>(
  request: Request,
  names: readonly N[],
  several: string,
): Promise<{ fields: Partial<Record<N, string>>; files: File[] }> {
  const form = await readFields(request, [...names, several], several)
  const files = form.getAll(several).filter((file): file is File => typeof file !== 'string')
  form.delete(several)
  return { fields: Object.fromEntries(form) as Partial<Record<N, string>>, files }
}

async function readFields(request: Request, names: readonly string[], several?: string): Promise<FormData> {
  // Somebody who chooses too many files is told so.
  const bytes = await readBytes(request, MAX_FORM, SLOW_TIMEOUT, several === undefined ? undefined : 100 * 1024 ** 2)
  const form = await parse(bytes, request.headers.get('content-type') ?? '')
  for (const name of form.keys()) {
    const problem = !names.includes(name)
      ? t`This field is not known`
      : name !== several && form.getAll(name).length > 1
        ? t`This field is here twice`
        : null
    if (problem) throw fieldError('invalid', name, problem)
  }
  return form
}

async function parse(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw new AppError('invalid', t`The body is not a complete form of the type multipart/form-data`, { cause })
  }
}
