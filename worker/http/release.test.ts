import { expect, test } from 'vitest'
import { releaseOf } from './release.ts'

test.each([
  [{ id: '0f3c', tag: 'v1.2.3', timestamp: '' }, 'v1.2.3'],
  [{ id: '0f3c', tag: '', timestamp: '' }, '0f3c'],
  [{ id: '', tag: '', timestamp: '' }, 'unknown'],
  [undefined, 'unknown'],
])('the release of a bundle made by the platform with deployment %j is %s', (deployment, name) => {
  expect(releaseOf(deployment ? { CF_VERSION_METADATA: deployment } : {})).toBe(name)
})
