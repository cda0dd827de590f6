import { planImport } from '../../web/lib/import/plan.ts'
import { type Packed, zipOf } from './archives.ts'

export const photo = (text = 'jpeg') => new TextEncoder().encode(text)
export const options = { signal: new AbortController().signal, onProgress: () => undefined }

/** The import plan of several ZIPs. */
export function planned(...archives: Packed[]) {
  const given = archives.map((files, i) => ({ path: `part-${i + 1}.zip`, file: new File([zipOf(files)], `part-${i + 1}.zip`) }))
  return planImport(given, options)
}

/** The plan of a dropped folder. */
export function folder(files: Record<string, string>) {
  return planImport(
    Object.entries(files).map(([path, text]) => ({ path, file: new File([text], path.split('/').at(-1) ?? path, { lastModified: 5 }) })),
    options,
  )
}
