import { t } from '#say'

/** Message to show for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : t`Something went wrong. Try again.`
}
