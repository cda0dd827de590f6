import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { COLLECTION_ICONS } from '../contract/icons.ts'
import './palettes.ts'

// Writes the icons from Material Symbols Rounded as two sprites, and the names of the icons of controls as a type.

const UI_ICONS =
  `account-circle add add-location add-photo-alternate add-reaction archive arrow-back arrow-downward arrow-forward arrow-upward audio-file broken-image burst-mode calendar-today
  check check-circle chevron-left chevron-right close chat-bubble cloud-off cloud-upload collections-bookmark computer content-copy crop-free dark-mode dashboard
  delete door-open download draft dynamic-feed edit error event expand-content filter-list format-bold format-h1 format-h2 format-italic format-list-bulleted format-list-numbered format-quote format-underlined fit-screen fullscreen fullscreen-exit grid-view group hourglass-empty image info
  keyboard keyboard-arrow-down keyboard-arrow-up label left-panel-close left-panel-open light-mode link link-off location-off location-on lock logout mail map mark-email-read menu
  more-horiz more-vert motion-photos-on movie open-in-new palette pause person person-add person-off person-remove photo-camera photo-library picture-as-pdf play-arrow refresh remove reply
  rotate-right schedule search select-all send settings share shield-person stacks sticky-note-2 swap-horiz sync undo unfold-more upload view-timeline visibility
  visibility-off warning wifi-off zoom-in zoom-out`.split(/\s+/)

const symbols = createRequire(import.meta.url)('@iconify-json/material-symbols/icons.json') as {
  icons: Record<string, { body: string }>
  aliases: Record<string, { parent: string }>
}

function body(symbol: string): string {
  for (const name of [`${symbol}-outline-rounded`, `${symbol}-rounded`, `${symbol}-outline`, symbol]) {
    const icon = symbols.icons[name] ?? symbols.icons[symbols.aliases[name]?.parent ?? '']
    if (icon) return path(icon.body, symbol)
  }
  throw new Error(`Material Symbols has no ${symbol}`)
}

function path(svg: string, symbol: string): string {
  const d = /^<path fill="currentColor" d="([^"]+)"\/>$/.exec(svg)?.[1]
  if (!d) throw new Error(`${symbol} is not a single path`)
  return d
}

/** A sprite: `<use href="….svg#name">` draws one symbol, without any JavaScript to parse. */
function writeSprite(file: string, icons: [name: string, symbol: string][]) {
  const all = icons.map(([name, symbol]) => `<symbol id="${name}" viewBox="0 0 24 24"><path d="${body(symbol)}"/></symbol>`)
  write(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg"><title>Icons</title><!-- Written by dev/icons.ts from Material Symbols (Apache-2.0). -->\n${all.join('\n')}\n</svg>\n`,
  )
}

function write(file: string, text: string) {
  writeFileSync(new URL(`../web/${file}`, import.meta.url), text)
}

writeSprite(
  'ui/icons.svg',
  UI_ICONS.map((name) => [name, name]),
)
write(
  'ui/icon-name.generated.ts',
  `// Written by dev/icons.ts. Do not edit.\nexport type IconName =\n${UI_ICONS.map((name) => `  | '${name}'`).join('\n')}\n`,
)
writeSprite(
  'components/collection-icons.svg',
  COLLECTION_ICONS.map((icon) => [icon.name, 'symbol' in icon ? icon.symbol : icon.name]),
)
