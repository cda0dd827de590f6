import { describe, expect, test } from 'vitest'
import { type ImageSite, imageUrl } from './image-providers.ts'
import { avatarPreset } from './images.ts'

const photo = '/api/asset/a1/file?v=3'
const site: ImageSite = {
  origin: 'https://cairn.example',
  delivery: 'https://res.example/acme/image/fetch',
  domains: ['files.example', 'localhost:4747'],
}
const far = encodeURIComponent(`https://cairn.example${photo}`)

describe('image URLs', () => {
  test.each([
    ['local', '/_image/w_75,f_webp,q_80/a1?v=3'],
    ['cdn', '/cdn-cgi/image/width=75,fit=scale-down,format=webp,quality=80,metadata=none/api/asset/a1/file?v=3'],
    ['delivery', `https://res.example/acme/image/fetch/w_75,c_limit,f_webp,q_80/${far}`],
  ])('provider %s returns the URL of the timeline preset', (provider, address) => {
    expect(imageUrl(photo, { provider, preset: 'timeline' }, site)).toBe(address)
  })

  test.each([
    ['local', '/_image/s_10x10,q_50,blur_3/a1?v=3'],
    ['cdn', '/cdn-cgi/image/width=10,height=10,fit=cover,format=auto,quality=50,blur=3,metadata=none/api/asset/a1/file?v=3'],
    ['delivery', `https://res.example/acme/image/fetch/w_10,h_10,c_fill,f_auto,q_50,e_blur:300/${far}`],
  ])('provider %s returns the URL of the placeholder preset', (provider, address) => {
    expect(imageUrl(photo, { provider, preset: 'placeholder' }, site)).toBe(address)
  })

  const avatars = { '3xs': 16, '2xs': 20, xs: 24, sm: 28, md: 32, lg: 36, xl: 40, '2xl': 44, '3xl': 48 }
  test.each(Object.entries(avatars))('an avatar of size %s is %i pixels wide and high', (size, pixels) => {
    const modifiers = avatarPreset(size as keyof typeof avatars)
    expect(imageUrl(photo, { modifiers }, site)).toBe(`/_image/s_${pixels}x${pixels},fit_cover/a1?v=3`)
  })
})

test('imageUrl uses the provider of the request, else of the site, else the app', () => {
  const request = { modifiers: { width: 320 } }
  expect(imageUrl(photo, request, site)).toMatch(/^\/_image\//)
  expect(imageUrl(photo, request, { ...site, provider: 'cdn' })).toMatch(/^\/cdn-cgi\/image\//)
  expect(imageUrl(photo, { ...request, provider: 'local' }, { ...site, provider: 'cdn' })).toMatch(/^\/_image\//)
})

test('modifiers override those of a preset', () => {
  expect(imageUrl(photo, { preset: 'timeline', modifiers: { format: 'avif' } }, site)).toBe('/_image/w_75,f_avif,q_80/a1?v=3')
})

test.each([
  ['https://files.example/a.jpg', '/cdn-cgi/image/width=320,fit=scale-down,format=auto,metadata=none/https://files.example/a.jpg'],
  ['https://cairn.example/a.jpg', '/cdn-cgi/image/width=320,fit=scale-down,format=auto,metadata=none/https://cairn.example/a.jpg'],
  ['http://localhost:4747/a.jpg', '/cdn-cgi/image/width=320,fit=scale-down,format=auto,metadata=none/http://localhost:4747/a.jpg'],
  ['https://evil.example/a.jpg', 'https://evil.example/a.jpg'],
  ['https://files.example.evil.example/a.jpg', 'https://files.example.evil.example/a.jpg'],
  ['//evil.example/a.jpg', '//evil.example/a.jpg'],
  ['data:image/gif;base64,R0lGOD', 'data:image/gif;base64,R0lGOD'],
  ['blob:https://cairn.example/1', 'blob:https://cairn.example/1'],
])('imageUrl sends %s to the provider only if its domain is allowed', (input, address) => {
  expect(imageUrl(input, { provider: 'cdn', modifiers: { width: 320 } }, site)).toBe(address)
})

test('the local provider returns unsupported sizes and other files unchanged', () => {
  expect(imageUrl(photo, { modifiers: { width: 321 } }, site)).toBe(photo)
  expect(imageUrl('/favicon.svg', { preset: 'timeline' }, site)).toBe('/favicon.svg')
})

test.each([
  [undefined, {}, 'input must be a string (received undefined)'],
  [5, {}, 'input must be a string (received number)'],
  [{ src: photo }, {}, 'input must be a string (received object)'],
  [photo, { provider: 'ipx' }, 'Unknown provider: ipx'],
  [photo, { provider: 'constructor' }, 'Unknown provider: constructor'],
  [photo, { preset: 'poster' }, 'Unknown preset: poster'],
  [photo, { preset: 'toString' }, 'Unknown preset: toString'],
])('imageUrl throws for %j with %j', (input, request, text) => {
  expect(() => imageUrl(input, request, site)).toThrow(text)
})
