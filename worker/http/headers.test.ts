import { expect, test } from 'vitest'
import { contentSecurityPolicy } from './headers.ts'

const directive = (policy: string, name: string) => policy.split('; ').find((part) => part.startsWith(`${name} `))

test('the policy allows no other origins without a hosted map', () => {
  for (const env of [{}, { MAP_TILES: 'map/planet.pmtiles' }, { MAP_HOSTS: 'https://tiles.example' }]) {
    const policy = contentSecurityPolicy(env)
    expect(policy).not.toContain('https:')
    expect(directive(policy, 'connect-src')).toBe("connect-src 'self'")
    expect(directive(policy, 'img-src')).toBe("img-src 'self' blob: data:")
  }
})

test('a hosted map adds the origins of its styles and hosts to two directives only', () => {
  const policy = contentSecurityPolicy({
    MAP_STYLE_URL: 'https://maps.example/light.json?key=1',
    MAP_STYLE_URL_DARK: 'https://maps.example/dark.json',
    MAP_HOSTS: 'https://tiles.example',
  })
  expect(directive(policy, 'connect-src')).toBe("connect-src 'self' https://maps.example https://tiles.example")
  expect(directive(policy, 'img-src')).toBe("img-src 'self' blob: data: https://maps.example https://tiles.example")
  expect(policy.match(/https:/g)).toHaveLength(4)
})

test('live rooms on another host add its WebSocket origin to connect-src', () => {
  const policy = contentSecurityPolicy({ PARTY_HOST: 'https://cairn.example.partykit.dev' })
  expect(directive(policy, 'connect-src')).toBe("connect-src 'self' wss://cairn.example.partykit.dev")
})

test('analytics add their origins to connect-src only, and only with a key', () => {
  expect(contentSecurityPolicy({ ANALYTICS_HOST: 'https://eu.i.posthog.com' })).not.toContain('posthog')
  const policy = contentSecurityPolicy({ ANALYTICS_KEY: 'phc_1' })
  expect(directive(policy, 'connect-src')).toBe("connect-src 'self' https://eu.i.posthog.com https://eu-assets.i.posthog.com")
  expect(policy.match(/posthog/g)).toHaveLength(2)
  const own = contentSecurityPolicy({ ANALYTICS_KEY: 'phc_1', ANALYTICS_HOST: 'https://counts.example' })
  expect(directive(own, 'connect-src')).toBe("connect-src 'self' https://counts.example")
})

test('the origin of a delivery service is allowed only if it is the image provider', () => {
  const IMAGE_DELIVERY = 'https://res.example/acme/image/fetch'
  expect(contentSecurityPolicy({ IMAGE_DELIVERY })).not.toContain('res.example')
  const policy = contentSecurityPolicy({ IMAGE_PROVIDER: 'delivery', IMAGE_DELIVERY })
  expect(directive(policy, 'img-src')).toBe("img-src 'self' blob: data: https://res.example")
  // The service worker fetches images, so connect-src applies.
  expect(directive(policy, 'connect-src')).toBe("connect-src 'self' https://res.example")
  expect(policy.match(/https:/g)).toHaveLength(2)
})
