/** Chinese characters and Hangul, and with kana, as ranges for patterns in JavaScript and in Postgres. */
export const HAN_HANGUL = '々〆㐀-䶿一-鿿가-힣豈-﫿𠀀-𲎯'
export const EAST_ASIAN = `${HAN_HANGUL}ぁ-ヿ`

type Name = string | null | undefined

const WRITTEN = new RegExp(`^[${EAST_ASIAN}]+$`, 'u')
const FAMILY = new RegExp(`[${HAN_HANGUL}]`, 'u')

/**
 * Whether such a name is said family name first and without a space, as 山田太郎 is: if both are written so, and the last name is not in kana alone, as foreign names
 * in Japanese are. `fullNameOf` in worker/queries/permissions.ts says the same to Postgres.
 */
export const isFamilyFirst = (firstName: Name, lastName: Name) =>
  WRITTEN.test(firstName ?? '') && WRITTEN.test(lastName ?? '') && FAMILY.test(lastName ?? '')

/** Both names in their order, the one that exists, or nothing. */
export function fullName(firstName: Name, lastName: Name): string {
  const spaced = spacedName(firstName, lastName)
  return isFamilyFirst(firstName, lastName) ? spaced.replace(' ', '') : spaced
}

/** The same always with a space between them, by which they can be told apart again. */
export const spacedName = (firstName: Name, lastName: Name) =>
  (isFamilyFirst(firstName, lastName) ? [lastName, firstName] : [firstName, lastName]).filter(Boolean).join(' ')
