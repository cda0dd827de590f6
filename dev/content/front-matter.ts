import { z } from 'zod'
import { SetupError } from '../setup-error.ts'

const FrontMatter = z.strictObject({
  title: z.string().min(1).max(90),
  date: z.iso.date().optional(),
  /** Shown by search engines and in previews of shared links. */
  description: z.string().min(20).max(200),
  draft: z.stringbool().default(false),
  /** Path of an image file, relative to the page. */
  picture: z.string().optional(),
  pictureAlt: z.string().optional(),
})
export type FrontMatter = z.infer<typeof FrontMatter>

/** Splits a page into its head, lines of `name: value` between two of `---`, and the Markdown below. Throws with the name of the file. */
export function parsePage(source: string, file: string): { front: FrontMatter; markdown: string } {
  const [, head, markdown] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(source) ?? []
  if (head === undefined || markdown === undefined) {
    throw new SetupError(`${file} does not begin with front matter: lines of "name: value" between two lines of ---`)
  }
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== '')
  const parsed = FrontMatter.safeParse(Object.fromEntries(lines.map((line) => field(line, file))))
  if (!parsed.success) throw new SetupError(`The front matter of ${file} is not right:\n${z.prettifyError(parsed.error)}`)
  if (parsed.data.picture && !parsed.data.pictureAlt) throw new SetupError(`${file} has a picture without pictureAlt`)
  return { front: parsed.data, markdown }
}

function field(line: string, file: string): [string, string] {
  const [, name, value] = /^(\w+):\s*(.*?)\s*$/.exec(line) ?? []
  if (!name || value === undefined) throw new SetupError(`A line of the front matter of ${file} is not "name: value": ${line}`)
  return [name, value.replace(/^(["'])(.*)\1$/, '$2')]
}

const SEGMENT = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** The address of a file under `content/`: `blog/guides/maps.md` is `/blog/guides/maps`, `pages/about.md` is `/about`. */
export function pathOf(file: string): string {
  const segments = file.replace(/\.md$/, '').split('/')
  const slug = segments[0] === 'pages' ? segments.slice(1) : segments
  if (slug.length === 0 || !slug.every((segment) => SEGMENT.test(segment))) {
    throw new SetupError(`content/${file}: an address is made of small letters, digits and single hyphens`)
  }
  return `/${slug.join('/')}`
}
