import { describe, expect, test } from 'vitest'
import { POLICY } from '../../contract/policy.ts'
import { app } from '../app.ts'
import type { Db } from '../db/client.ts'
import { type Caller, checksOf } from '../queries/permissions.ts'
import { restoreItems } from '../queries/trash.ts'
import { markerOf } from './checks.ts'

const UNSAFE = ['POST', 'PUT', 'PATCH', 'DELETE']

/** By `METHOD /path`, the markers that stand on the route. */
const routes = new Map<string, (readonly string[])[]>()
for (const { method, path, handler } of app.routes) {
  if (!UNSAFE.includes(method)) continue
  const key = `${method} ${path}`
  const marker = markerOf(handler)
  routes.set(key, [...(routes.get(key) ?? []), ...(marker ? [marker] : [])])
}

describe('every unsafe route', () => {
  test('is found by this test', () => {
    expect(routes.size).toBeGreaterThan(45)
  })

  test.each([...routes])('%s names once what it needs', (_route, markers) => {
    expect(markers).toHaveLength(1)
  })

  test('names actions of the policy, and every action but what members only see is named by a route', () => {
    const named = new Set([...routes.values()].flat(2))
    const seen = ['members.seeEmails', 'invites.see']
    // Decided by what is granted, inside of members.manage.
    const granted = ['members.grantAdmin']
    expect([...named].toSorted()).toEqual(
      Object.keys(POLICY)
        .filter((action) => ![...seen, ...granted].includes(action))
        .toSorted(),
    )
  })
})

test('A query cannot check an action that the route does not name', () => {
  const caller: Caller<'item.add'> = { db: {} as Db, user: { id: 'a' }, checks: checksOf(['item.add']) }
  // @ts-expect-error: restoring checks item.remove, which this caller does not bring
  const restore = () => restoreItems(caller, { post: [], asset: [] })
  return expect(restore()).rejects.toThrow()
})
