import { plural, t } from '#say'

/** Why a text is refused, by what it is. */
export interface TextWords {
  unstorable: () => string
  tooLong: (limit: number) => string
}

export interface LineWords extends TextWords {
  empty: () => string
}

export const NAME: LineWords = {
  unstorable: () => t`The name contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) =>
    t`${plural({ count: limit }, { one: 'The name may have at most # character', other: 'The name may have at most # characters' })}`,
  empty: () => t`The name must not be empty`,
}

export const GUEST_NAME: LineWords = {
  unstorable: () => t`Your name contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) =>
    t`${plural({ count: limit }, { one: 'Your name may have at most # character', other: 'Your name may have at most # characters' })}`,
  empty: () => t`Your name must not be empty`,
}

export const FIRST_NAME: TextWords = {
  unstorable: () => t`The first name contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) =>
    t`${plural({ count: limit }, { one: 'The first name may have at most # character', other: 'The first name may have at most # characters' })}`,
}

export const LAST_NAME: TextWords = {
  unstorable: () => t`The last name contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) =>
    t`${plural({ count: limit }, { one: 'The last name may have at most # character', other: 'The last name may have at most # characters' })}`,
}

export const ORIGINAL_AUTHOR: LineWords = {
  unstorable: () => t`The original author contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) =>
    t`${plural({ count: limit }, { one: 'The original author may have at most # character', other: 'The original author may have at most # characters' })}`,
  empty: () => t`The original author must not be empty`,
}

export const PLACE_NAME: TextWords = {
  unstorable: () => t`The name of the place contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) =>
    t`${plural({ count: limit }, { one: 'The name of the place may have at most # character', other: 'The name of the place may have at most # characters' })}`,
}

export const FILE_NAME: LineWords = {
  unstorable: () => t`The file name contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) =>
    t`${plural({ count: limit }, { one: 'The file name may have at most # character', other: 'The file name may have at most # characters' })}`,
  empty: () => t`The file name must not be empty`,
}

export const IDENTIFIER: TextWords = {
  unstorable: () => t`The identifier contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) =>
    t`${plural({ count: limit }, { one: 'The identifier may have at most # character', other: 'The identifier may have at most # characters' })}`,
}

export const TITLE: LineWords = {
  unstorable: () => t`The title contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) =>
    t`${plural({ count: limit }, { one: 'The title may have at most # character', other: 'The title may have at most # characters' })}`,
  empty: () => t`The title must not be empty`,
}

// Limits of thousands, without separators.

export const DESCRIPTION: TextWords = {
  unstorable: () => t`The description contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) => t`The description may have at most ${{ limit: String(limit) }} characters`,
}

export const BODY: TextWords = {
  unstorable: () => t`The text contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) => t`The text may have at most ${{ limit: String(limit) }} characters`,
}

export const COMMENT: TextWords = {
  unstorable: () => t`A comment contains characters that cannot be stored. Remove them and try again`,
  tooLong: (limit) => t`A comment may have at most ${{ limit: String(limit) }} characters`,
}
