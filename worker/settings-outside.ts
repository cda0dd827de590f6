import { isThisMachine } from '../contract/loopback.ts'
import { keyProblem } from '../party/keys.ts'

type Given = Partial<Record<string, string>>

/** Settings that hold one address, and why it must be encrypted. */
const ADDRESSES: Record<string, string> = {
  APP_ORIGIN: 'only an address of this machine may be http',
  AUTH_URL: 'passwords travel there',
  AUTH_ISSUER: 'its keys come from there',
  AUTH_AUDIENCE: 'tokens name it',
  PARTY_HOST: 'tickets travel there',
  MAIL_URL: 'addresses and names travel there',
  MAP_STYLE_URL: 'the map comes from there',
  MAP_STYLE_URL_DARK: 'the map comes from there',
  IMAGE_DELIVERY: 'pictures come from there',
  ANALYTICS_HOST: 'names and addresses travel there',
}

const KEYS = ['LIVE_KEY', 'PARTY_PUBLISH_KEY', 'PREVIEW_KEY', 'VAPID_PRIVATE_KEY']
const SAFE_SSL_MODES = [null, 'require', 'verify-ca', 'verify-full']

/**
 * Finds settings that do not do on a site that others reach: unencrypted addresses, addresses and keys of a developer's machine, keys that can
 * be guessed or are used twice, a sender without an address, and looser rate limits. Returns a sentence for each; none if the site is on this
 * machine. All forms must be valid.
 */
export function outsideProblems(env: Given): string[] {
  // A site without an address is taken for one that others reach.
  if (env.APP_ORIGIN && isThisMachine(new URL(env.APP_ORIGIN).hostname)) return []
  return [
    ...Object.entries(ADDRESSES).flatMap(([name, reason]) => addressProblems(name, env[name] ?? '', reason)),
    ...hostListProblems(env.MAP_HOSTS ?? ''),
    ...((env.PUSH_SERVICES ?? '').split(' ').some(isThisMachine) ? ["PUSH_SERVICES names a developer's machine. Name push services"] : []),
    ...(isThisMachine(env.MAIL_IN_DOMAIN ?? '') ? ["MAIL_IN_DOMAIN is one of a developer's machine. Name a domain that mail reaches"] : []),
    ...senderProblems(env.MAIL_FROM ?? ''),
    ...databaseProblems(env.DATABASE_URL ?? ''),
    ...keyProblems(env),
    ...contactProblems('VAPID_SUBJECT', env.VAPID_SUBJECT ?? ''),
    ...contactProblems('SECURITY_CONTACT', env.SECURITY_CONTACT ?? ''),
    ...(env.NEON_PROXY ? ["NEON_PROXY is a setting of a developer's machine. Leave it out"] : []),
    ...(Number(env.RATE_LIMIT_FACTOR ?? 1) > 1 ? ['RATE_LIMIT_FACTOR is at most 1: a larger one is for tests'] : []),
  ]
}

function addressProblems(name: string, value: string, reason: string): string[] {
  // An audience may be any text.
  if (!URL.canParse(value)) return []
  const { protocol, hostname, username, password } = new URL(value)
  if (isThisMachine(hostname))
    return [`${name} is a loopback address or one of a developer's machine. Set it to a service that the site reaches`]
  if (protocol === 'http:') return [`${name} must start with https: ${reason}`]
  if (protocol !== 'https:' && name !== 'AUTH_AUDIENCE') return [`${name} must start with https: ${reason}`]
  if (username || password) return [`${name} must not have a name or password before the host`]
  return []
}

function hostListProblems(hosts: string): string[] {
  const local = hosts.split(' ').some((host) => URL.canParse(host) && isThisMachine(new URL(host).hostname))
  return local ? ["MAP_HOSTS names a developer's machine. Name the hosts of the map"] : []
}

function senderProblems(sender: string): string[] {
  if (!sender) return []
  const [, address = sender] = /^(?:"[^"]*" *|[^"<>,;@]*)<(.*)>$/.exec(sender) ?? []
  const [name = '', domain = '', ...rest] = address.split('@')
  const isDomain = domain.split('.').length > 1 && domain.split('.').every(Boolean)
  if (!name || !isDomain || rest.length > 0 || /[\s"<>,;]/.test(address) || isThisMachine(domain))
    return ['MAIL_FROM is one address that mail is sent from, such as Cairn <cairn@example.org>']
  return []
}

function databaseProblems(value: string): string[] {
  if (!value) return []
  const { hostname, password, searchParams } = new URL(value)
  if (isThisMachine(hostname)) return ["DATABASE_URL is a database of a developer's machine. Set it to Neon's connection string"]
  if (!password) return ["DATABASE_URL has no password. Copy Neon's connection string once more"]
  if (!SAFE_SSL_MODES.includes(searchParams.get('sslmode')) || /^(0|false|off|no|disable)$/i.test(searchParams.get('ssl') ?? ''))
    return ['DATABASE_URL turns encryption off. Put sslmode=require at its end']
  return []
}

function contactProblems(name: string, contact: string): string[] {
  if (contact === 'mailto:nobody@example.org') return [`${name} is the one of a developer's machine. Set your own mailto: address`]
  return contact.startsWith('https:') ? addressProblems(name, contact, 'people write there') : []
}

function keyProblems(env: Given): string[] {
  const sessions = (env.SESSION_KEYS ?? '').split(',').filter(Boolean)
  const all: [name: string, secret: string][] = [
    ...sessions.map((key): [string, string] => ['SESSION_KEYS', key.startsWith('local1:') ? key : key.slice(key.indexOf(':') + 1)]),
    ...KEYS.flatMap((name): [string, string][] => (env[name] ? [[name, env[name]]] : [])),
  ]
  const unfit = all.flatMap(([name, secret]) => {
    const problem = keyProblem(secret)
    return problem ? [`${name} ${problem}`] : []
  })
  return [...unfit, ...repeatedKeys(all), ...repeatedNames(sessions)]
}

function repeatedKeys(all: [name: string, secret: string][]): string[] {
  const plain = (secret: string) => secret.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '')
  const byKey = Map.groupBy(all, ([, secret]) => plain(secret))
  return [...byKey.values()].flatMap((same) => {
    const names = [...new Set(same.map(([name]) => name))]
    if (same.length === 1) return []
    return [names.length === 1 ? `${names[0]} has the same key twice` : `${names.join(' and ')} must differ`]
  })
}

function repeatedNames(sessions: string[]): string[] {
  const names = sessions.map((key) => key.slice(0, key.indexOf(':')))
  return new Set(names).size < names.length ? ['SESSION_KEYS has two keys of the same name'] : []
}
