import { createStore } from 'jotai'
import { createMemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { type RouteView, recordViews } from './route-views.ts'

function open(at: string) {
  const router = createMemoryRouter([{ path: '*' }], { initialEntries: [at] })
  const views = recordViews(createStore(), router)
  const seen: RouteView[] = []
  const count = async (to: string): Promise<number> => {
    const before = seen.length
    await router.navigate(to)
    return seen.length - before
  }
  return { router, views, seen, count }
}

test('Views before the listener came are kept in order', async () => {
  const { router, seen, views } = open('/login')
  await router.navigate('/collections')
  views.follow((view) => seen.push(view))
  await router.navigate('/feed')
  expect(seen.map(({ pathname }) => pathname)).toEqual(['/login', '/collections', '/feed'])
})

test('Another page, collection, item, photo or view is one view', async () => {
  const { count, seen, views } = open('/collections/map?c=1')
  views.follow((view) => seen.push(view))
  for (const to of [
    '/collections/map?c=2',
    '/collections/map?c=2&item=a',
    '/collections/map?c=2&item=b',
    '/collections/map?c=2&item=b&photo=d',
    '/collections/map?c=2',
    '/collections/calendar?c=2',
    '/collections/calendar?c=2&view=week',
  ])
    expect(await count(to), to).toBe(1)
})

test('A moved map, another day, a filter, a search, a fragment and the name of what is shown anyway are no view', async () => {
  const { count, seen, views } = open('/collections/map?c=1')
  views.follow((view) => seen.push(view))
  for (const to of [
    '/collections/map?c=1&at=48.2,16.4,7',
    '/collections/map?at=48.2,16.5,7&c=1',
    '/collections/map?c=1&on=2026-11&day=2026-11-18',
    '/collections/map?c=1&type=photo&q=snow',
    '/collections/map?c=1#content',
    '/collections/map?c=1',
    '/collections/map?c=1&view=month',
  ])
    expect(await count(to), to).toBe(0)
})

test('Nothing is given to the listener after the end', async () => {
  const { count, seen, views } = open('/about')
  views.follow((view) => seen.push(view))
  views.end()
  expect(await count('/blog')).toBe(0)
})
