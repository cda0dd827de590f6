/** The page's style sheet. Its hash is in the page's content security policy. */
export const STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#fafaf9, #1c1917); --card: light-dark(#fff, #292524); --ink: light-dark(#1c1917, #f5f5f4);
  --soft: light-dark(#57534e, #a8a29e); --line: light-dark(#e7e5e4, #44403c); --accent: light-dark(#c2410c, #fb923c); --code: light-dark(#f5f5f4, #1c1917) }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
a { color: var(--accent); text-underline-offset: .2em } a:not(:hover) { text-decoration-color: transparent }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
code, pre, .path { font: 14px/1.6 ui-monospace, monospace }
.all { display: grid; grid-template-columns: 15rem minmax(0, 52rem); gap: 3rem; max-width: 74rem; margin: auto; padding: 0 1.5rem 6rem }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 2.5rem 0; font-size: 15px }
nav a { display: block; padding: .25rem 0; color: var(--soft) } nav a:hover { color: var(--accent) }
nav strong { display: block; margin-bottom: 1rem; font-size: 1.25rem; color: var(--ink) }
main { padding-top: 2.5rem } h1 { margin: 0 0 1rem; font-size: 2rem; line-height: 1.2 } h2 { margin: 3.5rem 0 1rem; font-size: 1.375rem }
h3 { margin: 1rem 0 0; font-size: .8125rem; font-weight: 600; color: var(--soft) }
details { margin: .5rem 0; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; scroll-margin-top: 1rem }
summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; padding: .75rem 1rem; cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none } summary .path + span { color: var(--soft); font-size: 15px }
details[open] > summary { border-bottom: 1px solid var(--line) } .inside { padding: 0 1rem 1rem }
.path { overflow-wrap: anywhere } .method { min-width: 3.75rem; font: 600 13px/1.6 ui-monospace, monospace; color: var(--accent) }
pre { margin: .75rem 0 0; padding: .75rem 1rem; overflow: auto; background: var(--code); border-radius: .5rem; tab-size: 2 }
pre i { font-style: normal; color: var(--soft) } pre b { font-weight: 400; color: light-dark(#166534, #86efac) } small { color: var(--soft); font-size: 12.5px }
.scroll { overflow-x: auto } table { border-collapse: collapse; font-size: 15px } td { padding: .25rem 1.5rem .25rem 0; vertical-align: top } p { max-width: 42rem }
.who { margin: .75rem 0 0; font-size: 15px; color: var(--soft) }
@media (max-width: 52rem) { .all { display: block; padding: 0 1rem 4rem } nav { position: static; height: auto; padding: 1.5rem 0 0; columns: 2 } nav strong { column-span: all } }
`
