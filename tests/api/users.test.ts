import { describe, expect, inject, test } from 'vitest'
import { USER_THEME } from '../../contract/colors.ts'
import { NO_DATE_SETTINGS } from '../../contract/date-format.ts'
import { fullName } from '../../contract/full-name.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Profile } from '../../contract/users.ts'
import { Client } from '../../dev/http-client.ts'
import { type Actor, PASSWORD, register, world } from '../support/world.ts'

describe('the profile', () => {
  test('The profile is the user, without an envelope', async () => {
    const ada = await register('ada')
    const { status, body } = await ada.get('/api/users/profile')
    expect(status).toBe(200)
    expect(Profile.strict().parse(body)).toEqual({
      id: ada.id,
      email: ada.email,
      firstName: 'Ada',
      lastName: 'Test',
      sharesPresence: true,
      avatar: null,
      displayLanguage: null,
      ...NO_DATE_SETTINGS,
    })
  })

  test('The profile keeps fields that are not sent, and stores an empty name as none', async () => {
    const ada = await register('ada')
    const put = async (edit: unknown) => (await ada.put('/api/users/profile', edit)).body
    const { id, email } = ada
    expect(await put({ firstName: '  Ada   Maria ' })).toEqual({
      success: true,
      profile: {
        id,
        email,
        firstName: 'Ada Maria',
        lastName: 'Test',
        sharesPresence: true,
        avatar: null,
        displayLanguage: null,
        ...NO_DATE_SETTINGS,
      },
    })
    expect((await put({ lastName: ' ' })).profile).toEqual({
      id,
      email,
      firstName: 'Ada Maria',
      lastName: null,
      sharesPresence: true,
      avatar: null,
      displayLanguage: null,
      ...NO_DATE_SETTINGS,
    })
    expect((await put({ firstName: null, lastName: '李' })).profile).toEqual({
      id,
      email,
      firstName: null,
      lastName: '李',
      sharesPresence: true,
      avatar: null,
      displayLanguage: null,
      ...NO_DATE_SETTINGS,
    })
    expect((await put({})).profile).toEqual({
      id,
      email,
      firstName: null,
      lastName: '李',
      sharesPresence: true,
      avatar: null,
      displayLanguage: null,
      ...NO_DATE_SETTINGS,
    })
    expect((await ada.get('/api/users/profile')).body).toEqual({
      id,
      email,
      firstName: null,
      lastName: '李',
      sharesPresence: true,
      avatar: null,
      displayLanguage: null,
      ...NO_DATE_SETTINGS,
    })
  })

  test('The profile keeps an emptied name at the next sign-in', async () => {
    const ada = await register('ada')
    await ada.put('/api/users/profile', { firstName: '', lastName: '' })
    const { body } = await new Client(ada.origin).post('/api/auth/sign-in', { email: ada.email, password: 'correct horse battery' })
    expect(body.user).toMatchObject({ firstName: null, lastName: null })
  })

  test("A new name shows in the author's items that are asked for since the revision before it, and a repeated name changes nothing", async () => {
    const w = await world({ bob: 'write' })
    const [ada, bob] = [w.as('ada'), w.as('bob')]
    const write = (by: Actor, title: string) => by.post('/api/post', { type: 'note', title, collectionIds: [w.collection.id] })
    await write(bob, 'By Bob')
    await write(ada, 'By Ada')
    const { revision } = (await ada.get(`/api/post?collection_id=${w.collection.id}`)).body
    await bob.put('/api/users/profile', { firstName: 'Roberto' })
    const since = (await ada.get(`/api/post?collection_id=${w.collection.id}&since=${revision}`)).body
    expect(since.posts.map((post: { title: string; user_name: string }) => [post.title, post.user_name])).toEqual([
      ['By Bob', 'Roberto Test'],
    ])
    await bob.put('/api/users/profile', { firstName: 'Roberto' })
    expect((await ada.get(`/api/post?collection_id=${w.collection.id}&since=${since.revision}`)).body.posts).toEqual([])
  })

  test.each([
    ['太郎', '山田'],
    ['𠮷', '々辻'],
    ['민수', '김'],
    ['ジョン', 'スミス'],
    ['Ada', '山田'],
    ['太郎', null],
    [null, '王'],
  ])('Others call %j %j as they call themselves', async (firstName, lastName) => {
    const w = await world({ bob: 'read' })
    await w.as('bob').put('/api/users/profile', { firstName, lastName })
    const { members } = (await w.as('ada').get(`/api/collections/${w.collection.id}/members`)).body
    expect(members.map(({ name }: { name: string }) => name)).toContain(fullName(firstName, lastName))
  })

  test('The profile counts characters of a name as a reader does', async () => {
    const ada = await register('ada')
    const family = '👩‍👩‍👧‍👦'
    const put = async (firstName: string) => (await ada.put('/api/users/profile', { firstName })).status
    expect(await put(family.repeat(LIMITS.profileName))).toBe(200)
    expect(await put(family.repeat(LIMITS.profileName + 1))).toBe(400)
  })

  test.each([
    [{ id: 'other' }, 'id'],
    [{ email: 'new@example.org' }, 'email'],
    [{ user_id: 'other' }, 'user_id'],
    [{ role: 'owner' }, 'role'],
    [{ constructor: 1 }, 'constructor'],
    [{ firstName: 'A\u0000da' }, 'firstName'],
    [{ firstName: '\ud800' }, 'firstName'],
    [{ lastName: 7 }, 'lastName'],
  ])('The profile refuses %j and changes nothing', async (wrong, field) => {
    const ada = await register('ada')
    const { status, body } = await ada.put('/api/users/profile', { firstName: 'New', ...wrong })
    expect([status, Object.keys(body.error.fields)]).toEqual([400, [field]])
    expect((await ada.get('/api/users/profile')).body.firstName).toBe('Ada')
  })

  test('The profile refuses __proto__', async () => {
    const ada = await register('ada')
    const type = 'application/json'
    expect((await ada.put('/api/users/profile', '{"firstName":"New","__proto__":{"id":"x"}}', { type })).status).toBe(400)
  })
})

describe('date settings', () => {
  test('Date settings are stored one by one, and null follows the browser again', async () => {
    const ada = await register('ada')
    const put = async (edit: unknown) => (await ada.put('/api/users/profile', edit)).body.profile
    const chosen = { language: 'de-AT', region: 'US', hours: 12, firstDay: 7, timeZone: 'America/New_York' }
    expect(await put(chosen)).toMatchObject({ firstName: 'Ada', ...chosen })
    expect(await put({ hours: 24 })).toMatchObject({ ...chosen, hours: 24 })
    expect(await put({ region: null, timeZone: null })).toMatchObject({ ...chosen, hours: 24, region: null, timeZone: null })
    expect((await ada.get('/api/users/profile')).body).toMatchObject({ ...chosen, hours: 24, region: null, timeZone: null })
  })

  test('The language chosen for screens and mails is stored, and null follows the browser again', async () => {
    const ada = await register('ada')
    const put = async (edit: unknown) => (await ada.put('/api/users/profile', edit)).body.profile
    expect(await put({ displayLanguage: 'en' })).toMatchObject({ displayLanguage: 'en' })
    expect(await put({ firstName: 'Ada' })).toMatchObject({ displayLanguage: 'en' })
    expect(await put({ displayLanguage: null })).toMatchObject({ displayLanguage: null })
  })

  test.each([
    [{ language: 'no such language!' }, 'language'],
    [{ region: 'ZZ' }, 'region'],
    [{ region: 'at' }, 'region'],
    [{ hours: 13 }, 'hours'],
    [{ hours: '24' }, 'hours'],
    [{ firstDay: 0 }, 'firstDay'],
    [{ firstDay: 8 }, 'firstDay'],
    [{ firstDay: 1.5 }, 'firstDay'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ displayLanguage: 'tlh' }, 'displayLanguage'],
    [{ displayLanguage: 'EN' }, 'displayLanguage'],
  ])('Date settings refuse %j', async (wrong, field) => {
    const ada = await register('ada')
    const { status, body } = await ada.put('/api/users/profile', wrong)
    expect([status, Object.keys(body.error.fields)]).toEqual([400, [field]])
    expect((await ada.get('/api/users/profile')).body).toMatchObject(NO_DATE_SETTINGS)
  })

  test('The language is that of the browser of the first sign-in', async () => {
    const ada = await register('ada')
    const signIn = async (language: string) => {
      const headers = { 'accept-language': language }
      await new Client(ada.origin).post('/api/auth/sign-in', { email: ada.email, password: PASSWORD }, { headers })
      return (await ada.get('/api/users/profile')).body.language
    }
    expect(await signIn('*')).toBeNull()
    expect(await signIn('de-AT,de;q=0.9,en;q=0.8')).toBe('de-AT')
    expect(await signIn('en-US')).toBe('de-AT')
  })
})

test('The profile can be sent back as it was read, and its id, address and picture cannot be changed', async () => {
  const ada = await register('ada')
  const { body: profile } = await ada.get('/api/users/profile')
  const put = (edit: object) => ada.put('/api/users/profile', { ...profile, ...edit })
  expect((await put({ lastName: 'Byron' })).body).toEqual({ success: true, profile: { ...profile, lastName: 'Byron' } })
  expect((await put({ email: ada.email.toUpperCase() })).status).toBe(200)
  for (const [field, value] of [
    ['id', 'other'],
    ['email', 'new@example.org'],
    ['avatar', 'another'],
  ] as const) {
    const { status, body } = await put({ [field]: value })
    expect([status, Object.keys(body.error.fields)]).toEqual([400, [field]])
    expect(body.error.message).toMatch(/^Your .* changed/)
  }
})

describe('the theme', () => {
  test('The theme is null until chosen, and belongs to the user', async () => {
    const [ada, bob] = [await register('ada'), await register('bob')]
    expect((await ada.get('/api/users/theme')).body).toEqual({ success: true, theme: null })
    const theme = { ...USER_THEME, primary: 'teal', neutral: 'tea', radius: 0.25, blackAsPrimary: true }
    expect((await ada.put('/api/users/theme', theme)).body).toEqual({ success: true, theme })
    expect((await ada.get('/api/users/theme')).body).toEqual({ success: true, theme })
    expect((await bob.get('/api/users/theme')).body.theme).toBeNull()
  })

  test.each<object>([
    { primary: 'black' },
    { neutral: undefined },
    { radius: 9 },
    { radius: '0.5' },
    { blackAsPrimary: 1 },
    { constructor: 1 },
    { font: { prototype: 'x' } },
    { font: [{ constructor: {} }] },
    { font: 'A\u0000' },
    { 'A\ud800': 1 },
    { font: 'x'.repeat(LIMITS.theme) },
    { font: 'ä'.repeat(LIMITS.theme / 2) },
  ])('The theme refuses %j', async (wrong) => {
    const ada = await register('ada')
    expect((await ada.put('/api/users/theme', { ...USER_THEME, ...wrong })).status).toBe(400)
    expect((await ada.get('/api/users/theme')).body.theme).toBeNull()
  })

  test('The theme refuses __proto__ at any depth', async () => {
    const ada = await register('ada')
    for (const more of ['"__proto__":{}', '"font":{"__proto__":{"x":1}}']) {
      const text = JSON.stringify(USER_THEME).replace('{', `{${more},`)
      expect((await ada.put('/api/users/theme', text, { type: 'application/json' })).status).toBe(400)
    }
  })

  test('A theme keeps fields that the site does not know', async () => {
    const w = await world()
    const theme = { ...USER_THEME, font: { name: 'Žluť 😀', sizes: [1, 2.5, null, true] }, 'a.b': '' }
    for (const path of ['/api/users/theme', `/api/collections/${w.collection.id}/theme`]) {
      expect((await w.as('ada').put(path, theme)).body).toEqual({ success: true, theme })
      expect((await w.as('ada').get(path)).body.theme).toEqual(theme)
    }
    const { body } = await w.as('ada').post('/api/collections', { name: 'Nara', theme })
    expect(body.collection.theme).toEqual(theme)
  })
})

test('A caller without a session gets 401 from every call', async () => {
  const stranger = new Client(inject('stack').origin)
  for (const path of ['/api/users/profile', '/api/users/theme']) {
    for (const answer of [await stranger.get(path), await stranger.put(path, {})]) {
      expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthenticated'])
    }
  }
})
