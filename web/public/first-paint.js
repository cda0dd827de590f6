// Sets the remembered theme before anything is painted, and asks the server what every page begins with: the app's own code, which takes
// the answers (lib/start/prefetched-responses.ts), is still to come. A file of its own, since inline scripts are not allowed here.
// Keys and values are those of lib/storage.ts.
;(() => {
  // React makes errors while its script runs, and the browser would read all of it once more to say where. main.tsx has them told again.
  Error.stackTraceLimit = 0
  // The browser says once that the app can be installed, and would ask by itself (lib/pwa/install.ts).
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    window.installOffer = event
    dispatchEvent(new Event('installoffer'))
  })
  // Files that are dropped where nobody takes them would open in place of the app.
  const refuseStray = (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files') || event.target.type === 'file') return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  for (const stray of ['dragover', 'drop']) addEventListener(stray, refuseStray)
  // Without the app's own code nobody else could say that it is missing.
  const sayMissing = () => {
    const place = document.getElementById('root')
    if (!place || place.hasChildNodes()) return
    const again = Object.assign(document.createElement('a'), { href: location.href, textContent: 'Try again' })
    const words = Object.assign(document.createElement('p'), { textContent: 'Cairn could not be loaded. Check the connection. ' })
    words.setAttribute('role', 'alert')
    words.style.cssText = 'margin: 20vh auto 0; max-width: 24rem; padding: 1rem; text-align: center; font-family: system-ui'
    words.append(again)
    place.append(words)
  }
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && sayMissing(), true)
  // In a task of its own, so that the browser can do something else in between; before what a timer would wait for.
  const soon = (run) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      run()
    }
    port2.postMessage(null)
  }
  const named = (meta, separator) => document.querySelector(`meta[name=${meta}]`)?.content.split(separator) ?? []
  // The scripts that this page begins with, which the app would name only once it runs (dev/view-files.ts).
  const viewFiles = () => {
    const [files, ...pages] = named('cairn-views', ';')
    const page = /^\/(?:collections\/)?(\w+)$/.exec(location.pathname)?.[1]
    const mine = pages.map((line) => line.split(' ')).find(([name]) => name === page) ?? []
    return mine.slice(1).map((nth) => `/assets/${files.split(' ')[nth]}`)
  }
  const fetchAhead = (files, how) => {
    for (const href of files) document.head.append(Object.assign(document.createElement('link'), how, { href }))
  }
  const inTime = (promise, most) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, most))])
  // Each in a task of its own: all together they take long enough to keep somebody waiting who taps.
  const readFiles = async (files) => {
    for (const file of files) {
      await import(file)
      await new Promise(soon)
    }
  }
  // When all that styles the page is there, without which the app would measure something else.
  const styled = async () => {
    if (document.readyState === 'loading') await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }))
    const coming = [...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => !sheet)
    await Promise.all(coming.map((link) => new Promise((resolve) => Object.assign(link, { onload: resolve, onerror: resolve }))))
  }
  const startApp = async () => {
    const files = named('cairn-start', ' ')
    await sight
    fetchAhead([...files, ...begins], { rel: 'modulepreload', crossOrigin: '' })
    await readFiles(files.slice(0, -1))
    // Styles that have failed by now would never tell; the app can be used without.
    await inTime(styled(), 3000)
    await readFiles(files.slice(-1))
  }
  // What the page begins with (viewFiles), and when it may be asked for.
  let begins = []
  let sight = null
  const root = document.documentElement
  const early = {}
  const ask = (path) => {
    early[path] = fetch(path, { headers: { accept: 'application/json' } })
    early[path].catch(() => {})
  }
  window.earlyAnswers = early
  // A page that the build has drawn can be read without the app (dev/content/html.ts names its files).
  const drawn = document.querySelector('meta[name=cairn-app]')
  const fetchApp = () => {
    // The app looks for the page that it takes over.
    if (document.readyState === 'loading') return addEventListener('DOMContentLoaded', fetchApp, { once: true })
    ask('/api/auth/session')
    const [app, ...files] = drawn.content.split(' ')
    const isScript = (file) => file.endsWith('.js')
    fetchAhead(files.filter(isScript), { rel: 'modulepreload', crossOrigin: '' })
    fetchAhead(
      files.filter((file) => !isScript(file)),
      { rel: 'preload', as: 'fetch', crossOrigin: '' },
    )
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', crossOrigin: '', src: app }))
  }
  // It comes when somebody begins to do something, or in the quiet after.
  const fetchAppLater = () => {
    const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin']
    let begun = false
    const begin = () => {
      if (begun) return
      begun = true
      for (const sign of signs) removeEventListener(sign, begin, true)
      fetchApp()
    }
    addEventListener('load', () => setTimeout(begin, 5000), { once: true })
    for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true })
  }
  const startDrawn = (somebody) => (somebody || drawn.dataset.starts === 'now' ? fetchApp() : fetchAppLater())
  if (!drawn) ask('/api/auth/session')
  // What this page showed the last time stands until the app has drawn it (lib/start/snapshot.ts).
  const keptSnapshot = (somebody) => {
    const asked = new URLSearchParams(location.search)
    const collection = JSON.parse(localStorage.getItem('collection'))?.lastSelectedId
    if (/^\/collections\/\w/.test(location.pathname) && !asked.has('c') && collection) asked.set('c', collection)
    asked.sort()
    const kept = JSON.parse(localStorage.getItem(`snapshot:${location.pathname}?${asked}`))
    if (kept?.user !== somebody || kept.build !== document.querySelector('meta[name=cairn-build]').content || location.hash) return null
    // A page that is opened anew begins at its top; beside its width there may be a scrollbar.
    const beside = innerWidth - kept.width
    return (kept.top === 0 || !isOpened) && beside >= 0 && beside < 20 ? kept : null
  }
  const isOpened = performance.getEntriesByType('navigation')[0]?.type === 'navigate'
  const drawSnapshot = (kept) => {
    const host = Object.assign(document.createElement('div'), { id: 'snapshot', inert: true, ariaHidden: 'true' })
    fetchAhead(kept.fonts, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '' })
    host.style.cssText = 'display:none; position:fixed; inset:0; z-index:100; overflow:hidden; background:var(--bg); pointer-events:none'
    const page = document.createElement('div')
    Object.assign(page.dataset, root.dataset)
    const filled = new Promise(soon).then(() => {
      page.innerHTML = kept.html
    })
    page.style.width = `${kept.width}px`
    const still = document.createElement('style')
    still.textContent = '*, ::before, ::after { animation: none !important; transition: none !important } img { opacity: 1 !important }'
    const sheets = kept.css.map((href) => Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href }))
    const styled = sheets.map((sheet) => new Promise((resolve, reject) => Object.assign(sheet, { onload: resolve, onerror: reject })))
    host.attachShadow({ mode: 'closed' }).append(...sheets, still, page)
    const show = () => {
      // Before its styles were there it would have been laid out for nothing.
      host.style.display = 'block'
      // Its styles now, and how it lies in the frame that draws it: apart for the same reason as scripts.
      void getComputedStyle(page).color
      const all = kept.scrolled.length > 0 ? page.querySelectorAll('*') : []
      for (const [nth, left, top] of kept.scrolled) all[nth]?.scrollTo(left, top)
      if (kept.top > 0) host.scrollTop = kept.top
      performance.mark('snapshot')
    }
    const shown = Promise.all([filled, ...styled]).then(show, () => host.remove())
    return { host, page, shown }
  }
  // Where nothing is kept on the device, the photos of the last sight come before the scripts: both share one connection, and it is them who are seen.
  const photosOf = async ({ page, shown }) => {
    await shown
    await Promise.allSettled(Array.from(page.querySelectorAll('img'), (photo) => photo.decode()))
    await new Promise((resolve) => requestAnimationFrame(() => soon(resolve)))
  }
  const showSnapshot = (somebody) => {
    const kept = keptSnapshot(somebody)
    if (!kept) return
    const snapshot = drawSnapshot(kept)
    window.snapshot = snapshot
    if (!navigator.serviceWorker?.controller) sight = inTime(photosOf(snapshot), 1500)
    const put = () => {
      if (window.snapshot === snapshot && document.body && !snapshot.host.isConnected) document.body.append(snapshot.host)
    }
    // What the app has drawn below hears its own clicks.
    const hear = (event) => {
      if (window.snapshot === snapshot) snapshot.click = event.target.closest('a, button, [role=button]') ? null : event
      else removeEventListener('click', hear, true)
    }
    addEventListener('click', hear, true)
    const putEarly = (_, body) => {
      if (document.body) body.disconnect()
      put()
    }
    const session = early['/api/auth/session'].then(async (answer) => (await answer.clone().json()).user?.id ?? null)
    // Without a server the app, too, goes on with who was here last.
    session
      .catch(() => somebody)
      .then((id) => {
        if (id === somebody) return put()
        snapshot.host.remove()
        if (window.snapshot === snapshot) delete window.snapshot
      })
    // Whoever comes from the pages of a sign-in service may be somebody else.
    if (!isOpened || !document.referrer || document.referrer.startsWith(`${location.origin}/`))
      new MutationObserver(putEarly).observe(root, { childList: true })
  }
  const known = {
    primary: /^(red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose|black)$/,
    neutral: /^(slate|gray|zinc|neutral|stone|tea)$/,
    radius: /^(0|0\.125|0\.25|0\.375|0\.5)$/,
  }
  const wear = ([primary, neutral, radius]) => {
    for (const [key, value] of Object.entries({ primary, neutral, radius })) if (known[key].test(value)) root.dataset[key] = value
    if (known.primary.test(primary)) document.querySelector('link[rel=icon]').href = `/favicons/${primary}.svg`
  }
  const wearAppearance = (appearance) => {
    if (appearance !== 'light' && appearance !== 'dark') return
    root.dataset.appearance = appearance
    document.querySelector('meta[name=color-scheme]').content = appearance
    for (const bar of document.querySelectorAll('meta[name=theme-color]')) bar.media = bar.media.includes(appearance) ? 'all' : 'not all'
  }
  const ownTheme = () => {
    const [primary, neutral, radius, black] = ['primary', 'neutral', 'radius', 'black-as-primary'].map((key) => localStorage.getItem(key))
    return [black === 'true' ? 'black' : primary, neutral, radius]
  }
  // Of the collection that this page opens, as `primary neutral radius`; nothing where the person's own is worn.
  const themeOfCollection = () => {
    if (!/^\/collections\/\w/.test(location.pathname) || localStorage.getItem('own-theme') === 'true') return
    const opened = new URLSearchParams(location.search).get('c') ?? JSON.parse(localStorage.getItem('collection'))?.lastSelectedId
    return JSON.parse(localStorage.getItem('collection-themes'))?.[opened]
  }
  try {
    const somebody = localStorage.getItem('device-user')
    if (drawn) startDrawn(somebody)
    else if (somebody) ask('/api/collections')
    wear(themeOfCollection()?.split(' ') ?? ownTheme())
    wearAppearance(localStorage.getItem('appearance'))
    if (localStorage.getItem('rail') === 'narrow') root.dataset.rail = 'narrow'
    if (somebody && !drawn) {
      showSnapshot(JSON.parse(somebody).id)
      begins = viewFiles()
    }
  } catch {
    // Storage is blocked: the defaults of index.html stand.
    if (drawn) fetchAppLater()
  }
  if (drawn) return
  // What is pressed meanwhile is heard later (lib/start/early-keys.ts); ⌘K is the browser's own where a page does nothing with it.
  window.earlyKeys = []
  addEventListener('keydown', (event) => {
    if (window.earlyKeys?.push(event) && (event.ctrlKey || event.metaKey) && /^k$/i.test(event.key)) event.preventDefault()
  })
  const started = startApp()
  started.catch(sayMissing)
  // What the page begins with is read before the app asks for it, which would read all of it at once (routes.tsx). A file that does not come
  // keeps no other page waiting.
  window.viewRead = started.then(() => inTime(readFiles(begins), 1000)).catch(() => {})
})()
