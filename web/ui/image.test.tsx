import type { ComponentProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, expectTypeOf, test } from 'vitest'
import { FadingImg } from './image.tsx'

type FadingImgProps = ComponentProps<typeof FadingImg>

const html = (props: Partial<FadingImgProps>) => renderToStaticMarkup(<FadingImg sources={['/a.jpg']} alt="" {...props} />)
const attribute = (name: string, text: string) => new RegExp(` ${name}="([^"]*)"`, 'i').exec(text)?.[1]

test.each(['lazy', 'eager'] as const)('an image accepts loading=%s', (loading) => {
  expect(attribute('loading', html({ loading }))).toBe(loading)
})

test.each(['async', 'auto', 'sync'] as const)('an image accepts decoding=%s', (decoding) => {
  expect(attribute('decoding', html({ decoding }))).toBe(decoding)
})

test.each([
  [true, 'anonymous'],
  [false, undefined],
  [undefined, undefined],
  ['', ''],
  ['anonymous', 'anonymous'],
  ['use-credentials', 'use-credentials'],
] as const)('an image with crossOrigin %j has the attribute %j', (crossOrigin, value) => {
  expect(attribute('crossorigin', html(crossOrigin === undefined ? {} : { crossOrigin }))).toBe(value)
})

test('an image accepts no other value of loading, decoding and crossOrigin', () => {
  expectTypeOf<FadingImgProps['loading']>().toEqualTypeOf<'lazy' | 'eager' | undefined>()
  expectTypeOf<FadingImgProps['decoding']>().toEqualTypeOf<'async' | 'auto' | 'sync' | undefined>()
  expectTypeOf<FadingImgProps['crossOrigin']>().toEqualTypeOf<'anonymous' | 'use-credentials' | '' | boolean | undefined>()
})
