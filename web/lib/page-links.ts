/** Written pages that the app itself leads to, in the order of the footer. They lie in content/. */
export const PAGE_LINKS = [
  { to: '/about', label: 'About' },
  { to: '/how-it-works', label: 'How it works' },
  { to: '/blog', label: 'Blog' },
  { to: '/privacy', label: 'Privacy' },
  { to: '/self-hosting', label: 'Self-hosting' },
] as const

/** The posts for feed readers. */
export const RSS = '/blog/rss.xml'
