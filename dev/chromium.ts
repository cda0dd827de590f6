import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { SetupError } from './setup-error.ts'
import { PROJECT } from './state-folder.ts'

const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/**
 * Path of a Chromium for the browser tests: CAIRN_CHROMIUM, the system's, Debian's package (installed now, as root), or Playwright's own
 * download, in this order.
 */
export async function findChromium(log: (line: string) => void): Promise<string> {
  const { chromium } = await import('playwright-core')
  const find = () => [process.env.CAIRN_CHROMIUM ?? '', ...USUAL, chromium.executablePath()].find((file) => file && existsSync(file))
  const found = find()
  if (found) return found
  log('Installing Chromium for the browser tests …')
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) installFromDebian()
  const debian = find()
  if (debian) return debian
  run(process.execPath, [path.join(PROJECT, 'node_modules/playwright-core/cli.js'), 'install', 'chromium'])
  const downloaded = find()
  if (downloaded) return downloaded
  throw new SetupError('The browser tests need Chromium: install it, or set CAIRN_CHROMIUM to its path, then run the tests again.')
}

/**
 * Path of Debian's headless shell, Chromium's engine without a window, which most browser tests use because it takes a sixth less processor time. If it is
 * missing, or CAIRN_CHROMIUM names another browser, the same as `findChromium`.
 */
export async function findHeadless(log: (line: string) => void): Promise<string> {
  const found = await findChromium(log)
  return !process.env.CAIRN_CHROMIUM && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : found
}

function installFromDebian(): void {
  run('apt-get', ['update'])
  // One by one, since not every Debian has both.
  for (const name of ['chromium', 'chromium-headless-shell']) run('apt-get', ['install', '-y', '--no-install-recommends', name])
}

function run(command: string, args: string[]): void {
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}
