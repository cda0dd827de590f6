import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  AVATARS,
  avatarPreset,
  BLURS,
  buildModifiers,
  FITS,
  FORMATS,
  imagePath,
  type Modifiers,
  PRESETS,
  parseModifiers,
  QUALITIES,
  SCREENS,
  SIZES,
  SQUARES,
} from './images.ts'

const one = fc.constantFrom(...SIZES)
const sides = fc.oneof(
  one.map((width) => ({ width })),
  one.map((height) => ({ height })),
  fc.constantFrom(...SQUARES).map((side) => ({ width: side, height: side })),
)
const look = fc.record(
  {
    fit: fc.constantFrom(...FITS),
    format: fc.constantFrom(...FORMATS, 'auto' as const),
    quality: fc.constantFrom(...QUALITIES),
    blur: fc.constantFrom(...BLURS),
  },
  { requiredKeys: [] },
)
const anyModifiers = fc.tuple(sides, look).map(([size, rest]): Modifiers => ({ ...size, ...rest }))

test('parseModifiers reads back what buildModifiers writes', () => {
  fc.assert(
    fc.property(anyModifiers, (modifiers) => {
      expect(parseModifiers(buildModifiers(modifiers))).toEqual({ modifiers })
    }),
  )
})

test('parseModifiers reads or refuses any text without throwing', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^([a-z]{1,4}_[0-9a-z]{0,5},?){1,4}$/))
  fc.assert(
    fc.property(text, (value) => {
      const read = parseModifiers(value)
      expect('problem' in read ? read.problem : SIZES.includes(read.modifiers.width ?? read.modifiers.height ?? 0)).toBeTruthy()
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['w_640,f_webp,q_80,fit_cover', { width: 640, format: 'webp', quality: 80, fit: 'cover' }],
  ['s_10x10,q_50,blur_3', PRESETS.placeholder],
  ['w_75,f_webp,q_80', PRESETS.timeline],
  ['h_320', { height: 320 }],
  ['w_256,h_256,f_auto', { width: 256, height: 256, format: 'auto' }],
] as [string, Modifiers][])('parseModifiers reads %s', (text, modifiers) => {
  expect(parseModifiers(text)).toEqual({ modifiers })
})

test.each([
  '',
  'w_641',
  'w_0640',
  'w_-640',
  'w_640.0',
  'w_1e3',
  'w_',
  'w',
  '_640',
  'W_640',
  'w_640,',
  'w_640,w_320',
  'w_640,s_10x10',
  's_10',
  's_10x10x10',
  's_10x11',
  's_320x320',
  's_128x256',
  'w_320,h_640',
  'w_640,q_90',
  'f_webp',
  'w_640,f_png',
  'w_640,q_81',
  'w_640,q_1000',
  'w_640,blur_200',
  'w_640,fit_fill',
  'w_640,rotate_90',
  'w_640,__proto___x',
  'constructor_x',
  'toString_x',
  '../w_640',
  '%77_640',
])('parseModifiers refuses %j', (text) => {
  expect(parseModifiers(text)).toEqual({ problem: expect.any(String) })
})

test('every screen size is supported at both densities, and every avatar preset', () => {
  for (const width of Object.values(SCREENS)) expect(SIZES).toEqual(expect.arrayContaining([width, width * 2]))
  for (const name of Object.keys(AVATARS) as (keyof typeof AVATARS)[]) {
    expect(parseModifiers(buildModifiers(avatarPreset(name)))).toEqual({ modifiers: avatarPreset(name) })
  }
})

test('fewer than 10,000 different images can be made of an asset', () => {
  const looks = FORMATS.length * FITS.length * (QUALITIES.length + 1) * (BLURS.length + 1)
  expect((2 * SIZES.length + SQUARES.length) * looks).toBeLessThan(10_000)
})

test('imagePath contains the version of the file, or of the asset in a row without it', () => {
  expect(imagePath({ id: 'a', version: 5, file_version: 3 }, { width: 320 })).toBe('/_image/w_320/a?v=3')
  expect(imagePath({ id: 'a', version: 3 }, { width: 320 })).toBe('/_image/w_320/a?v=3')
})
