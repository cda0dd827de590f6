import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AVATARS } from '../../contract/images.ts'
import { Avatar, type AvatarSize } from './avatar.tsx'

test('every avatar size has the pixels of a rendition', () => {
  const pixelsOf = (size: AvatarSize) =>
    Number(/width:(\d+)px;height:\1px/.exec(renderToStaticMarkup(<Avatar alt="Ada" size={size} />))?.[1])
  const sizes = Object.keys(AVATARS) as (keyof typeof AVATARS)[]
  // Both types must have the same members.
  const all: Record<AvatarSize, number> = AVATARS
  expect(Object.fromEntries(sizes.map((size) => [size, pixelsOf(size)]))).toEqual(all)
  expect([Math.min(...Object.values(all)), Math.max(...Object.values(all))]).toEqual([16, 48])
})

test('an avatar without a picture, or with a missing one, shows initials', () => {
  for (const src of [undefined, '/no-such-picture.png']) {
    const html = renderToStaticMarkup(<Avatar alt="Ada Lovelace Byron" {...(src && { src })} />)
    expect(html).toContain('role="img" aria-label="Ada Lovelace Byron"')
    expect(html).toContain('>AL<')
    expect(html).not.toContain('<img')
  }
})

test('an avatar shows an icon instead of initials when one is given, or when there is no name', () => {
  expect(renderToStaticMarkup(<Avatar alt="ada@example.org" icon="mail" />)).toMatch(/#mail"/)
  expect(renderToStaticMarkup(<Avatar alt=" " />)).toMatch(/#person"/)
})

test('a decorative avatar is hidden from screen readers', () => {
  const html = renderToStaticMarkup(<Avatar alt="Ada Lovelace" decorative />)
  expect(html).toContain('aria-hidden="true"')
  expect(html).not.toContain('aria-label')
})
