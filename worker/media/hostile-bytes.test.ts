import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { AppError } from '../http/errors.ts'
import { longestSide } from './longest-side.ts'
import { sniff } from './sniff.ts'
import { RENDITION_TYPES, stripMetadata } from './strip-metadata.ts'

const picture = () => sharp({ create: { width: 24, height: 16, channels: 3, background: '#369' } }).withExif({ IFD0: { Make: 'Canon' } })
const samples = {
  'image/jpeg': new Uint8Array(await picture().jpeg().toBuffer()),
  'image/webp': new Uint8Array(await picture().webp().toBuffer()),
  'image/avif': new Uint8Array(await picture().avif().toBuffer()),
}

test.each(RENDITION_TYPES)('stripMetadata cleans or refuses an altered %s without crashing', (type) => {
  const sample = samples[type]
  const change = fc.tuple(fc.nat(sample.length - 1), fc.integer({ min: 0, max: 255 }))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), fc.nat(sample.length), fc.uint8Array({ maxLength: 40 }), (changes, length, tail) => {
      const bytes = new Uint8Array([...sample.subarray(0, length), ...tail])
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      try {
        expect(longestSide(stripMetadata(bytes, type), type)).toBeGreaterThanOrEqual(0)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    }),
    { numRuns: 600 },
  )
})

test('sniff never returns a type that browsers run for other bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom('text/html', 'image/svg+xml', 'text/javascript'), (bytes, type) => {
      const found = sniff(bytes, type)
      expect(found).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/)
      expect(found).not.toBe('text/javascript')
    }),
    { numRuns: 1_000 },
  )
})
