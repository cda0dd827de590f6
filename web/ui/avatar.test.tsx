import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AVATARS } from '../../contract/images.ts'
import { Avatar, type AvatarSize } from './avatar.tsx'

test('every size has the pixels that pictures are made in', () => {
  const pixelsOf = (size: AvatarSize) =>
    Number(/width:(\d+)px;height:\1px/.exec(renderToStaticMarkup(<Avatar alt="Ada" size={size} />))?.[1])
  const sizes = Object.keys(AVATARS) as (keyof typeof AVATARS)[]
  // Both types must have the same members.
  const all: Record<AvatarSize, number> = AVATARS
  expect(Object.fromEntries(sizes.map((size) => [size, pixelsOf(size)]))).toEqual(all)
  expect([Math.min(...Object.values(all)), Math.max(...Object.values(all))]).toEqual([16, 48])
})

test('somebody without a picture, or whose picture is not there, is shown by their initials', () => {
  for (const src of [undefined, '/no-such-picture.png']) {
    const html = renderToStaticMarkup(<Avatar alt="Ada Lovelace Byron" {...(src && { src })} />)
    expect(html).toContain('role="img" aria-label="Ada Lovelace Byron"')
    expect(html).toContain('>AL<')
    expect(html).not.toContain('<img')
  }
})

test('an icon takes the place of initials where it is named, and where there is no name', () => {
  expect(renderToStaticMarkup(<Avatar alt="ada@example.org" icon="mail" />)).toMatch(/#mail"/)
  expect(renderToStaticMarkup(<Avatar alt=" " />)).toMatch(/#person"/)
})

test('beside the name it is nothing to read', () => {
  const html = renderToStaticMarkup(<Avatar alt="Ada Lovelace" decorative />)
  expect(html).toContain('aria-hidden="true"')
  expect(html).not.toContain('aria-label')
})
