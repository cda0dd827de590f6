import * as assets from '../../contract/assets.ts'
import * as auth from '../../contract/auth.ts'
import * as bulk from '../../contract/bulk.ts'
import * as collections from '../../contract/collections.ts'
import * as comments from '../../contract/comments.ts'
import * as contributions from '../../contract/contributions.ts'
import * as errors from '../../contract/errors.ts'
import * as films from '../../contract/films.ts'
import * as group from '../../contract/group.ts'
import * as groups from '../../contract/groups.ts'
import * as guest from '../../contract/guest.ts'
import * as importedAnswers from '../../contract/imported-answers.ts'
import * as invites from '../../contract/invites.ts'
import * as joinRequests from '../../contract/join-requests.ts'
import * as links from '../../contract/links.ts'
import * as locations from '../../contract/locations.ts'
import * as mailAddresses from '../../contract/mail-addresses.ts'
import * as members from '../../contract/members.ts'
import * as paging from '../../contract/paging.ts'
import * as people from '../../contract/people.ts'
import * as places from '../../contract/places.ts'
import * as posts from '../../contract/posts.ts'
import * as reactions from '../../contract/reactions.ts'
import * as themes from '../../contract/themes.ts'
import * as tokens from '../../contract/tokens.ts'
import * as trash from '../../contract/trash.ts'
import * as unread from '../../contract/unread.ts'
import * as usage from '../../contract/usage.ts'
import * as users from '../../contract/users.ts'
import { z } from '../../contract/zod.ts'
import type { JsonSchema } from './types.ts'

const MODULES = [
  assets,
  auth,
  bulk,
  collections,
  comments,
  errors,
  films,
  group,
  groups,
  importedAnswers,
  invites,
  contributions,
  joinRequests,
  locations,
  guest,
  links,
  mailAddresses,
  members,
  paging,
  people,
  places,
  posts,
  reactions,
  themes,
  tokens,
  trash,
  unread,
  usage,
  users,
]

/** Objects that the contract exports become components with the name of the export; other schemas are written inline. */
const named = z.registry<{ id: string }>()
for (const [name, value] of MODULES.flatMap((module) => Object.entries(module))) {
  if (value instanceof z.ZodObject && !named.has(value)) named.add(value, { id: name })
}

/**
 * The JSON Schema of a zod schema; adds the schemas that it references to `components`. Describes the input, before zod's transforms, which
 * JSON Schema cannot express. Of the responses only the compact form of a list has one, into the items.
 */
export function jsonSchema(schema: z.ZodType, components: Record<string, JsonSchema>): JsonSchema {
  const written = z.toJSONSchema(schema, {
    metadata: named,
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // The format says the same and is readable.
      if (jsonSchema.format) delete jsonSchema.pattern
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      const { description } = z.globalRegistry.get(zodSchema) ?? {}
      if (description) jsonSchema.description = description
    },
  })
  // zod's type of a JSON Schema has variants that it never generates.
  const { $schema: _, $defs = {}, ...own } = moved(written) as JsonSchema
  Object.assign(components, $defs)
  return own
}

/** Rewrites references to `$defs` as references to our components. */
function moved(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  )
}
