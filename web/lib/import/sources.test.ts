import { describe, expect, test } from 'vitest'
import { options } from '../../../tests/support/plan-import.ts'
import { filesOfEntries } from '../entries.ts'
import { planImport } from './plan.ts'

const gone = () => new DOMException('Gone', 'NotReadableError')

// Only what is read of an entry: no browser makes one outside of a drop.
const entry = (fullPath: string, more: object) =>
  ({ name: fullPath.split('/').at(-1), fullPath, isFile: false, isDirectory: false, ...more }) as FileSystemEntry

const file = (path: string) =>
  entry(path, { isFile: true, file: (done: (file: File) => void) => done(new File(['jpeg'], path.split('/').at(-1) ?? '')) })
const unreadable = (path: string) => entry(path, { isFile: true, file: (_: unknown, fail: (error: Error) => void) => fail(gone()) })

/** A folder is read in pieces, the last of which is empty or fails. */
function folder(path: string, entries: FileSystemEntry[], breaks = false) {
  const createReader = () => {
    let at = 0
    return {
      readEntries(done: (entries: FileSystemEntry[]) => void, fail: (error: Error) => void) {
        if (breaks && at >= entries.length) return fail(gone())
        done(entries.slice(at, at + 100))
        at += 100
      },
    }
  }
  return entry(path, { isDirectory: true, createReader })
}

describe('A dropped folder', () => {
  test('Files and folders that cannot be read are told, and the others are imported', async () => {
    const given = await filesOfEntries([
      folder('/Trip', [file('/Trip/a.jpg'), unreadable('/Trip/b.jpg'), folder('/Trip/Rome', [file('/Trip/Rome/c.jpg')], true)]),
    ])
    const plan = await planImport(given, options)
    expect(plan.title).toBe('Trip')
    expect(plan.assets.map(({ name }) => name)).toEqual(['a.jpg', 'c.jpg'])
    const reason = 'It could not be read. Is the file still where it was?'
    expect(plan.refused).toEqual(['b.jpg', 'Rome'].map((name) => ({ name, reason })))
  })

  test('A folder of which nothing can be read is refused with the reason', async () => {
    await expect(planImport(await filesOfEntries([folder('/Trip', [], true)]), options)).rejects.toThrow('It could not be read')
  })

  test('A folder of many thousand files is read', async () => {
    const names = Array.from({ length: 150_000 }, (_, i) => file(`/Life/2019/${i}.jpg`))
    expect(await filesOfEntries([folder('/Life', [folder('/Life/2019', names)])])).toHaveLength(150_000)
  })
})
