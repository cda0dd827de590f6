/** Written pages linked from the app, in the order of the footer. Their sources are in content/. */
export const PAGE_LINKS = [
  { to: '/about', label: 'About' },
  { to: '/how-it-works', label: 'How it works' },
  { to: '/blog', label: 'Blog' },
  { to: '/privacy', label: 'Privacy' },
  { to: '/self-hosting', label: 'Self-hosting' },
] as const

export const RSS = '/blog/rss.xml'
