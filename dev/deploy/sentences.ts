import { errorCode, messageOf, SetupError } from '../setup-error.ts'

const AGAIN = 'then run the same command again'

/** For a host that gave no answer at all. */
export function unreachable(host: string, error: unknown): SetupError {
  return new SetupError(`${host} cannot be reached (${reasonOf(error)}): check the network of this machine, ${AGAIN}.`)
}

/** The innermost cause: fetch only says that it failed, and the driver of the database wraps errors of its socket. */
function reasonOf(error: unknown): string {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  // One error for each address of the host that was tried.
  if (inner instanceof AggregateError) inner = inner.errors[0]
  // The database driver rejects with its WebSocket's error event, which holds the error.
  if (typeof inner === 'object' && inner !== null && 'error' in inner) return reasonOf(inner.error)
  return errorCode(inner) ?? messageOf(inner)
}

/** The error of the database in what drizzle wraps around it; `code` is its SQLSTATE, or empty. */
function refusalOf(error: unknown): { code: string; message: string } {
  for (let inner = error; typeof inner === 'object' && inner !== null; inner = 'cause' in inner ? inner.cause : null)
    if ('code' in inner && inner.code !== undefined) return { code: String(inner.code), message: messageOf(inner) }
  return { code: '', message: messageOf(error) }
}

/** What is wrong with a connection to a database, for the user who set DATABASE_URL. `databaseUrl` has a password, which is not repeated. */
export function databaseProblem(databaseUrl: string, error: unknown): SetupError {
  if (error instanceof SetupError) return error
  const { hostname, username, pathname } = new URL(databaseUrl)
  const { code, message } = refusalOf(error)
  if (code.startsWith('28'))
    return new SetupError(
      `The database at ${hostname} refuses the password of ${username}: copy DATABASE_URL from "Connect" in Neon's console once more.`,
    )
  if (code === '3D000')
    return new SetupError(
      `There is no database ${pathname.slice(1)} at ${hostname}: copy DATABASE_URL from "Connect" in Neon's console once more.`,
    )
  // Any other SQLSTATE comes from a database that was reached.
  if (/^(?!E)[0-9A-Z]{5}$/.test(code)) return new SetupError(`The database at ${hostname} refused: ${message} (${code}).`)
  return new SetupError(
    `The database at ${hostname} cannot be reached (${reasonOf(error)}): check DATABASE_URL and the network of this machine, ${AGAIN}.`,
  )
}

/** Why wrangler failed: one sentence where it is the network or the token, else `what` and what wrangler says. */
export function wranglerProblem(what: string, output: string): SetupError {
  if (/fetch failed|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|connect timeout/i.test(output))
    return new SetupError(`${what} failed, because Cloudflare cannot be reached: check the network of this machine, ${AGAIN}.`)
  const refusal = output.split('\n').find((line) => /\[code: (10000|10001|9109|9106|6003)\]/.test(line))
  if (refusal !== undefined)
    return new SetupError(
      `${what} failed, because Cloudflare refuses the token (${refusal.trim()}): run "npx wrangler login", or set CLOUDFLARE_API_TOKEN to one made from the template "Edit Cloudflare Workers" and CLOUDFLARE_ACCOUNT_ID to its account.`,
    )
  return new SetupError(`${what} failed. wrangler says:\n${output}`)
}
