import { foldEmail } from '../../../contract/text.ts'
import { AppError } from '../../http/errors.ts'
import { type MethodResult, parseAuthenticationResults } from './authentication-results.ts'
import { type HeaderField, valuesOf } from './header-fields.ts'

/** What Cloudflare calls itself in the header that it puts on top of every mail. */
const SERVER = 'mx.cloudflare.net'

/** `Name <address>`, `"Name" <address>` or `address`, where comments and quoted names have been removed. */
const FROM = /^(?:[^<>@,;:\\"]*<\s*([^\s<>]+)\s*>|([^\s<>]+))$/
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i

const refused = (message: string) => new AppError('forbidden', message)

/**
 * The address that a mail is from, once Cloudflare has found that it really is. Throws an AppError with a sentence for the sender otherwise. `envelope` is the
 * address that the sending server gave.
 */
export function senderOf(fields: readonly HeaderField[], envelope: string): string {
  const address = fromAddress(valuesOf(fields, 'from'))
  // These have a meaning in the header that Cloudflare writes the address into.
  if (!ADDRESS.test(envelope)) throw unproven(address)
  const results = valuesOf(fields, 'authentication-results').map((value) => parseAuthenticationResults(value))
  const [top] = results
  if (top?.server !== SERVER) throw unproven(address)
  // If somebody else has written such a header too, none of them may say otherwise.
  const all = results.filter((each) => each?.server === SERVER)
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (!all.every((each) => each && proves(each.results, domain))) throw unproven(address)
  return address
}

function fromAddress(values: string[]): string {
  if (values.length !== 1) throw refused('This mail has no sender, or more than one. Send it from one address')
  const bare = withoutNames(values[0] ?? '')
  const found = bare === null ? null : FROM.exec(bare.trim())
  const address = found?.[1] ?? found?.[2] ?? ''
  if (!ADDRESS.test(address)) throw refused('The sender of this mail cannot be read. Send it from one plain address')
  return foldEmail(address)
}

/** Removes quoted strings and comments. Null where one does not end. */
function withoutNames(value: string): string | null {
  let [kept, depth, quoted] = ['', 0, false]
  for (let at = 0; at < value.length; at++) {
    const char = value[at] ?? ''
    if (char === '\\' && (quoted || depth > 0)) at++
    else if (quoted) quoted = char !== '"'
    else if (char === '"' && depth === 0) quoted = true
    else if (char === '(') depth++
    else if (char === ')' && depth > 0) depth--
    else if (depth === 0) kept += char
  }
  return quoted || depth > 0 ? null : kept
}

/**
 * DMARC has passed for this domain, or, where the domain has no such rules, a signature by DKIM or the server by SPF. Only for exactly this domain: whoever has
 * another below the same organisation may be somebody else.
 */
function proves(results: readonly MethodResult[], domain: string): boolean {
  const [dmarc, ...more] = results.filter(({ method }) => method === 'dmarc')
  if (more.length > 0 || dmarc?.result === 'fail') return false
  const isOf = (value: string | undefined) => value?.toLowerCase().slice(value.lastIndexOf('@') + 1) === domain
  return results.some(({ method, result, properties }) => {
    if (result !== 'pass') return false
    if (method === 'dmarc') return isOf(properties['header.from'])
    return (method === 'dkim' && isOf(properties['header.d'])) || (method === 'spf' && isOf(properties['smtp.mailfrom']))
  })
}

const unproven = (address: string) =>
  refused(
    `Nothing proves that this mail is from ${address}: it passed neither DMARC nor DKIM nor SPF. Send it with the mail service of that address`,
  )

/** Throws for mails that programs write by themselves, so that two of them never answer each other. `isOwn`: Cairn itself writes from this address. */
export function refuseAutomatic(fields: readonly HeaderField[], envelope: string, isOwn: (address: string) => boolean): void {
  const first = (name: string) => valuesOf(fields, name)[0]?.toLowerCase() ?? ''
  const automatic =
    /^<?>?$/.test(envelope.trim()) ||
    /^\s*<\s*>/.test(first('return-path')) ||
    valuesOf(fields, 'auto-submitted').some((value) => value.split(/[\s;(]/)[0]?.toLowerCase() !== 'no') ||
    valuesOf(fields, 'precedence').some((value) => /^(bulk|junk|list|auto_reply)\b/i.test(value)) ||
    ['list-id', 'x-autoreply', 'x-autorespond', 'x-loop'].some((name) => valuesOf(fields, name).length > 0) ||
    /^multipart\/report\b/.test(first('content-type')) ||
    isOwn(foldEmail(envelope))
  if (automatic) throw refused('Automatic mails and mails of lists are not added. Write yourself')
}
