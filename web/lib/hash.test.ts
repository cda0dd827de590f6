import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from './hash.ts'

test('Small and large files have the digest of their bytes', async () => {
  const large = new Uint8Array(64 * 1024 ** 2 + 12_345).map((_, i) => i % 251)
  for (const bytes of [new Uint8Array(), new Uint8Array([1, 2, 3]), large]) {
    expect(await sha256(new Blob([bytes]))).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})
