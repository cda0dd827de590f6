// Entry point of npm's scripts, on whatever Node is installed: installs missing packages, then hands over to the Node among them. Plain
// JavaScript without imports from node_modules, because there may be none yet.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const PROJECT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const MODULES = path.join(PROJECT, 'node_modules')
const STAMP = path.join(MODULES, '.cairn-install')
const OLDEST_TO_INSTALL = [20, 0]
/** Runs TypeScript files directly; wrangler and Vitest need this version too. */
const OLDEST_TO_RUN = [22, 22]
const ENTRIES = {
  '--test': 'test.ts',
  '--bench': 'bench.ts',
  '--deploy': 'deploy/main.ts',
  '--preview': 'deploy/preview-main.ts',
  '--backup': 'backup/save-main.ts',
  '--restore': 'backup/restore-main.ts',
}

/** @param {string} message @returns {never} */
function giveUp(message) {
  console.error(message)
  process.exit(1)
}

/** @param {string} version such as v20.1.0 @param {number[]} oldest */
function isAtLeast(version, [major = 0, minor = 0]) {
  const [ownMajor = 0, ownMinor = 0] = version.replace('v', '').split('.').map(Number)
  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(path.join(PROJECT, 'package-lock.json')))
    .digest('hex')
}

/** Whether npm's own record of node_modules agrees with the lock file; packages for other platforms may be missing. */
function isInstalled() {
  const locked = readJson(path.join(PROJECT, 'package-lock.json'))?.packages
  const installed = readJson(path.join(MODULES, '.package-lock.json'))?.packages
  if (!locked || !installed) return false
  const agree = Object.entries(locked).every(
    ([name, wanted]) => name === '' || (installed[name] ? installed[name].version === wanted.version : wanted.optional === true),
  )
  return agree && Object.entries(installed).every(([name, { optional }]) => name in locked || optional === true)
}

/** @param {string} node @param {NodeJS.ProcessEnv} env */
function install(node, env) {
  // Not `npm ci`: it refuses a lock file written where packages of other platforms were unavailable.
  const npm = process.env.npm_execpath
  const [command, args] = npm?.endsWith('.js') ? [node, [npm]] : ['npm', []]
  const { status } = spawnSync(command, [...args, 'install', '--no-save', '--loglevel=error'], {
    cwd: PROJECT,
    env,
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  })
  if (status !== 0)
    giveUp(
      'The packages could not be installed: see the lines above, mend that (often the network or a full disk), then run the same command again.',
    )
}

function installWhatIsMissing() {
  const hash = lockHash()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return
  if (!isInstalled()) {
    console.log('Installing the packages of package-lock.json …')
    install(process.execPath, process.env)
  }
  // npm leaves out optional packages for which its own Node is too old.
  if (!isAtLeast(process.version, OLDEST_TO_RUN)) install(findNode(), environment())
  try {
    writeFileSync(STAMP, hash)
  } catch {
    // In a read-only checkout the comparison runs every time.
  }
}

function findNode() {
  const installed = path.join(MODULES, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  const packaged = path.join(MODULES, `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`, 'bin', 'node.exe')
  for (const node of [process.platform === 'win32' ? packaged : installed, process.execPath]) {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    if (stdout && isAtLeast(stdout.trim(), OLDEST_TO_RUN)) return node
  }
  return giveUp(
    `Cairn needs Node ${OLDEST_TO_RUN.join('.')} or newer, this is ${process.version}, and npm installed none for ${process.platform}-${process.arch}: ` +
      'run "npm install --include=optional", or install a newer Node.',
  )
}

function environment() {
  // Windows spells it Path.
  const name = Object.keys(process.env).find((key) => key.toLowerCase() === 'path') ?? 'PATH'
  return { ...process.env, [name]: [path.join(MODULES, '.bin'), process.env[name]].join(path.delimiter) }
}

/** @param {string[]} args */
function handOver(args) {
  const mode = args.find((arg) => arg in ENTRIES)
  const entry = path.join(PROJECT, 'dev', ENTRIES[/** @type {keyof typeof ENTRIES} */ (mode)] ?? 'up.ts')
  // The channel tells the child when this process is gone, however it ended.
  const child = spawn(findNode(), [entry, ...args.filter((arg) => arg !== mode)], {
    env: environment(),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => giveUp(`Node could not be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}

if (!isAtLeast(process.version, OLDEST_TO_INSTALL)) {
  giveUp(
    `Cairn needs Node ${OLDEST_TO_INSTALL[0]} or newer to install itself, and this is ${process.version}: install a newer Node, then run the same command again.`,
  )
}
if (!existsSync(path.join(PROJECT, 'package-lock.json')))
  giveUp('package-lock.json is missing: take the whole checkout, then run the same command again.')
installWhatIsMissing()
handOver(process.argv.slice(2))
