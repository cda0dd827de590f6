import { describe, expect, test } from 'vitest'
import { POLICY } from '../../contract/policy.ts'
import { app } from '../app.ts'
import type { Db } from '../db/client.ts'
import { type Caller, checksOf } from '../queries/permissions.ts'
import { restoreItems } from '../queries/trash.ts'
import { markerOf } from './checks.ts'

const UNSAFE = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Markers by `METHOD /path`. */
const routes = new Map<string, (readonly string[])[]>()
for (const { method, path, handler } of app.routes) {
  if (!UNSAFE.includes(method)) continue
  const key = `${method} ${path}`
  const marker = markerOf(handler)
  routes.set(key, [...(routes.get(key) ?? []), ...(marker ? [marker] : [])])
}

describe('unsafe routes', () => {
  test('the test finds all unsafe routes', () => {
    expect(routes.size).toBeGreaterThan(45)
  })

  test.each([...routes])('%s has exactly one marker', (_route, markers) => {
    expect(markers).toHaveLength(1)
  })

  test('routes declare every action of the policy, except those that only show something', () => {
    const named = new Set([...routes.values()].flat(2))
    const seen = ['members.seeEmails', 'invites.see', 'comment.seeHidden']
    // Part of members.manage; depends on the granted role.
    const granted = ['members.grantAdmin']
    expect([...named].toSorted()).toEqual(
      Object.keys(POLICY)
        .filter((action) => ![...seen, ...granted].includes(action))
        .toSorted(),
    )
  })
})

test('a query cannot check an action that its route does not declare', () => {
  const caller: Caller<'item.add'> = { db: {} as Db, user: { id: 'a' }, checks: checksOf(['item.add']) }
  // @ts-expect-error: restoring checks item.remove, which this caller does not have
  const restore = () => restoreItems(caller, { post: [], asset: [] })
  return expect(restore()).rejects.toThrow()
})
