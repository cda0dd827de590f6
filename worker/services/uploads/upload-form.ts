import { t } from '#say'
import { NewAsset } from '../../../contract/assets.ts'
import { hex } from '../../../contract/bytes.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { UPLOAD_FORM } from '../../../contract/upload-form.ts'
import { AppError } from '../../http/errors.ts'
import { readForm } from '../../http/read-form.ts'
import { parseJson } from '../../http/read-json.ts'
import { parse } from '../../http/validate.ts'
import type { WholeFile } from './receive-whole.ts'

/** Reads a form of the contract (UPLOAD_FORM). Throws 400 with `fields`, 413 if the file is larger than a part. */
export async function readUploadForm(request: Request): Promise<WholeFile> {
  const form = await readForm(request, UPLOAD_FORM)
  const given = parse(NewAsset.partial(), form.asset === undefined ? {} : parseJson(await textOf(form.asset)))
  const [file, thumb, preview] = [fileIn(form, 'file'), fileIn(form, 'thumb'), fileIn(form, 'preview')]
  if (!file) throw new AppError('invalid', t`Send the file in the field file`, { fields: { file: t`This is missing` } })
  if (file.size > LIMITS.partSize)
    throw new AppError(
      'too_large',
      t`In one request a file may have at most ${{ size: String(LIMITS.partSize) }} bytes. Send a larger one in parts`,
    )
  const bytes = new Uint8Array(await file.arrayBuffer())
  const measured = { size: bytes.length, checksum: hex(await crypto.subtle.digest('SHA-256', bytes)) }
  for (const name of ['size', 'checksum'] as const)
    if (given[name] !== undefined && given[name] !== measured[name])
      throw new AppError('invalid', t`The file that arrived has another ${{ field: name }}`, {
        fields: { [name]: t`It is ${{ value: String(measured[name]) }}` },
      })
  const named = { name: file.name, type: file.type || 'application/octet-stream' }
  const asset = parse(NewAsset, { ...named, ...given, ...measured })
  return { asset, bytes, renditions: { ...(thumb && { thumb }), ...(preview && { preview }) } }
}

async function textOf(field: string | File): Promise<string> {
  // In a string, a character has at least one byte.
  if ((typeof field === 'string' ? field.length : field.size) > LIMITS.jsonBody)
    throw new AppError('too_large', t`The field asset may have at most ${{ size: String(LIMITS.jsonBody) }} bytes`)
  return typeof field === 'string' ? field : field.text()
}

/** Null if the form has no such field. Throws 400 if it is text. */
function fileIn(form: Partial<Record<string, string | File>>, name: string): File | null {
  const field = form[name]
  if (typeof field !== 'string') return field ?? null
  throw new AppError('invalid', t`Send the field ${{ field: name }} with a file name, as a file`, { fields: { [name]: t`This is text` } })
}
