import { t } from '#say'

/** The message of an error, which has no full stop, as a sentence on a page. */
export const withFullStop = (message: string) => t({ message: `${message}.`, comment: 'A whole sentence and its full stop' })
