import { t } from '#say'
import { NewAsset } from '../../contract/assets.ts'
import { hex } from '../../contract/bytes.ts'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { guestUserId } from '../../contract/links.ts'
import { may } from '../../contract/policy.ts'
import { NewPost } from '../../contract/posts.ts'
import { cut, titleAndBody, titleOf } from '../content/incoming/mail-text.ts'
import type { IncomingMail, MailFile } from '../content/incoming/read-mail.ts'
import { connect, type GuestWork } from '../db/client.ts'
import type { Env } from '../env.ts'
import { AppError, forbidden, toAppError } from '../http/errors.ts'
import { parse } from '../http/validate.ts'
import { inLanguage, languageOfReader } from '../language.ts'
import { SNIFF_BYTES, sniff } from '../media/sniff.ts'
import { type Change, connectForWriting } from '../queries/changes.ts'
import { isTaken, type MailSender } from '../queries/mail-addresses.ts'
import { type Caller, checksOf } from '../queries/permissions.ts'
import { limitsOf } from './accounts/limit-attempts.ts'
import { deleteFromTrash } from './trash.ts'
import { beginUpload } from './uploads/begin-upload.ts'
import { discardAsset } from './uploads/discard-asset.ts'
import { storeWhole } from './uploads/receive-whole.ts'
import { createPost } from './write-post.ts'

/** Ids that the same mail always has, so that one that arrives twice makes nothing twice. */
export interface MailIds {
  post: string
  /** Of the file with this number. */
  asset(nth: number): Promise<string>
}

/** `of` is where the mail goes and who sent it, `identity` what tells it from others. `ms` is when it was written. */
export async function mailIds(of: string[], identity: string[] | Uint8Array<ArrayBuffer>, ms: number): Promise<MailIds> {
  const text = new TextEncoder()
  const own = identity instanceof Uint8Array ? identity : text.encode(JSON.stringify(identity))
  const key = hex(await crypto.subtle.digest('SHA-256', own))
  // Years 2000 to 2099: an id begins with its time.
  const time = ms > 946_684_800_000 && ms < 4_102_444_800_000 ? ms : 0
  const idOf = async (what: string) =>
    newId(time, new Uint8Array(await crypto.subtle.digest('SHA-256', text.encode([...of, key, what].join('\n')))))
  return { post: await idOf('post'), asset: (nth) => idOf(`asset ${nth}`) }
}

interface Mailed {
  mail: IncomingMail
  ids: MailIds
  sender: MailSender
  /** The proven address of the sender. */
  from: string
}

type Writer = Caller<'item.add' | 'item.remove'> & { bucket: R2Bucket; env: Env }
type Upload = MailFile & { asset: NewAsset & { id: string } }

/** Adds the post and files of a mail, or nothing. Throws an AppError with a sentence for the sender. */
export async function addMail(env: Env, { mail, ids, sender, from }: Mailed, written: Change[]): Promise<void> {
  const { member, guest, collectionId } = sender
  const files = await uploadsOf(mail.files, ids)
  const known = { postId: ids.post, assetIds: files.map(({ asset }) => asset.id) }
  if (await isTaken(connect(env.DATABASE_URL, env.NEON_PROXY), known)) return
  if (member) {
    requireWriter(member, from)
    const post = parse(NewPost, {
      ...inLanguage(languageOfReader(member), () => postOf(mail, files)),
      id: ids.post,
      collectionIds: [collectionId],
    })
    const writer = writerOf(env, written, member.id)
    await upload(writer, files, (existingAssetIds) => createPost(writer, { ...post, existingAssetIds }))
  } else if (guest) {
    if (files.length === 0)
      throw new AppError('invalid', 'Guests add photos and files, and this mail has none. Attach what you want to add')
    const writer = (work: GuestWork) => writerOf(env, written, guestUserId(guest.id), { access: guest.access, guest: work })
    await upload(writer('upload'), described(files, mail), async () => {}, writer('own'))
  }
}

function requireWriter({ role, confirmed }: NonNullable<MailSender['member']>, from: string): void {
  if (!may(role, 'item.add')) throw forbidden('You may look at this collection, but not add to it. Ask an admin for the role write')
  if (!confirmed)
    throw forbidden(`It is not known yet that ${from} is yours. Confirm the address in the app, sign in again, and send this mail again`)
}

/** Guests write no posts, so what they say describes their photos. */
function described(files: Upload[], { subject, text }: IncomingMail): Upload[] {
  const said = [titleOf(subject), text].filter(Boolean).join(': ').replace(/\s+/g, ' ')
  const alt = said && { alt: cut(said, LIMITS.altText) }
  return files.map((file) => (file.type.startsWith('image/') ? { ...file, asset: { ...file.asset, ...alt } } : file))
}

function writerOf(env: Env, written: Change[], id: string, as: Parameters<typeof connectForWriting>[2] = {}): Writer {
  const db = connectForWriting(env.DATABASE_URL, env.NEON_PROXY, as, written)
  return { db, user: { id }, checks: checksOf(['item.add', 'item.remove']), bucket: env.FILES, env }
}

/** Each file once, as the upload that it becomes. */
async function uploadsOf(files: MailFile[], ids: MailIds): Promise<Upload[]> {
  const uploads = await Promise.all(
    files.map(async (file, nth) => {
      const checksum = hex(await crypto.subtle.digest('SHA-256', file.bytes))
      const declared = NewAsset.shape.type.safeParse(file.type).data ?? 'application/octet-stream'
      const type = sniff(file.bytes.subarray(0, SNIFF_BYTES), declared)
      const id = await ids.asset(nth)
      return { ...file, type, asset: { ...parse(NewAsset, { name: file.name, type, size: file.bytes.length, checksum }), id } }
    }),
  )
  return [...new Map(uploads.map((file) => [file.asset.checksum, file])).values()]
}

/**
 * Uploads the files one after the other, does `finish` with their ids, and takes back what is there if anything is refused. Files are in no collection before
 * `finish`, so nobody else sees them until then.
 */
async function upload(writer: Writer, files: Upload[], finish: (ids: string[]) => Promise<unknown>, remover = writer): Promise<void> {
  const { env, user } = writer
  const attempts = await limitsOf({ actions: ['upload', 'uploadsOfDay'], user: user.id, factor: env.RATE_LIMIT_FACTOR })
  const made: string[] = []
  try {
    const ids: string[] = []
    for (const { asset, bytes, type } of files) {
      const { made: isNew, begun } = await beginUpload(writer, asset, { attempts, what: 'upload' })
      if (isNew) made.push(begun.asset.id)
      const done = begun.upload ? (await storeWhole(writer, begun.asset, { bytes, type })).asset : begun.asset
      ids.push(done.id)
    }
    await finish([...new Set(ids)])
  } catch (thrown) {
    const { code } = toAppError(thrown)
    if (code !== 'internal' && code !== 'unavailable') for (const id of made) await takeBack(remover, id)
    throw thrown
  }
}

async function takeBack(writer: Writer, id: string): Promise<void> {
  const { changeId } = await discardAsset(writer, id)
  if (changeId) await (await deleteFromTrash(writer, { assetIds: [id] })).filesRemoved
}

const DAY = 86_400_000

/** A mail that was written long ago, or in the future by its clock, is dated by its arrival. */
function postOf(mail: IncomingMail, files: Upload[]) {
  const { title, body } = titleAndBody(mail.subject, mail)
  const fallback = files.some(({ type }) => type.startsWith('image/')) ? t`Photos` : t`Files`
  const { date } = mail
  const [now, written] = [Date.now(), date?.ms ?? 0]
  const known = date !== null && written > now - 7 * DAY && written < now + DAY / 24
  return {
    ...{ type: 'note' as const, title: title || fallback, body },
    ...{ date: new Date(known ? written : now).toISOString(), datePrecision: 'minute' as const },
    ...(known && { dateZone: date.zone }),
  }
}
