import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Writes `index.html` beside the pictures: one row for each screen, with its sizes and schemes side by side. */
export async function writeContactSheet(folder: string): Promise<void> {
  const rows = new Map<string, string[]>()
  for (const file of (await readdir(folder)).toSorted()) {
    const [, screen] = /^(.+)-(?:desktop|phone)-(?:light|dark|[a-z]{2}(?:-\w+)?)\.png$/.exec(file) ?? []
    if (screen) rows.set(screen, [...(rows.get(screen) ?? []), file])
  }
  await writeFile(path.join(folder, 'index.html'), page([...rows].map(([screen, files]) => row(screen, files)).join('\n')))
}

const row = (screen: string, files: string[]) =>
  `<section id="${screen}"><h2>${screen}</h2>${files.map((file) => `<a href="${file}"><img src="${file}" alt="${file}" loading="lazy"></a>`).join('')}</section>`

const page = (rows: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Screens of Cairn</title>
<style>
  body { margin: 2rem; font: 14px system-ui; background: #888 }
  section { margin-bottom: 2rem }
  img { height: 22rem; margin-right: 1rem; vertical-align: top }
</style>
${rows}
</html>
`
