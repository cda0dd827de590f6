import { t } from '#say'
import { AppError } from '../http/errors.ts'

export const brokenImage = () =>
  new AppError('invalid', t`This picture is cut off, damaged or carries data that cannot be removed. Make it again and send it once more`)

export function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function fourCc(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
