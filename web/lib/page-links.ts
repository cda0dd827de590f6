import { msg } from '#say'

/** Written pages linked from the app, in the order of the footer. Their sources are in content/. */
export const PAGE_LINKS = [
  { to: '/about', label: msg`About` },
  { to: '/how-it-works', label: msg`How it works` },
  { to: '/blog', label: msg`Blog` },
  { to: '/privacy', label: msg`Privacy` },
  { to: '/self-hosting', label: msg`Self-hosting` },
] as const

export const RSS = '/blog/rss.xml'
