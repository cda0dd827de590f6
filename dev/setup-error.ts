/** An error that the user can fix: printed as one sentence, without a stack. */
export class SetupError extends Error {
  override name = 'SetupError'
}

/** The `code` of a system error such as ENOENT, or undefined. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
