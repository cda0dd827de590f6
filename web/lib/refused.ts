/** Codes of errors after which the same call is of no use: somebody else has removed a part meanwhile, for example. */
export const REFUSED: ReadonlySet<string> = new Set(['invalid', 'not_found', 'forbidden', 'conflict'])
