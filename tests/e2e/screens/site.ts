import { unconfirmed } from '../../support/accounts.ts'
import { entry, failing, heading, type Screen } from './stage.ts'

/** Screens outside a collection: pages for visitors, the collections, the feed and the profile. */
export const SITE: readonly Screen[] = [
  { name: 'home', who: 'nobody', path: '/', open: heading(/./) },
  { name: 'login', who: 'nobody', path: '/login', open: heading('Sign in') },
  {
    name: 'login-refused',
    opensAnew: true,
    who: 'nobody',
    path: '/login',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'E-mail' }).fill('nobody@example.org')
      await page.getByLabel('Password', { exact: true }).fill('wrong password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('E-mail or password is wrong').waitFor()
    },
  },
  { name: 'register', who: 'nobody', path: '/register', open: heading('Create your account') },
  { name: 'forgot-password', who: 'nobody', path: '/forgot-password', open: heading(/./) },
  { name: 'reset-password', who: 'nobody', path: '/reset-password?token=none', open: heading(/./) },
  {
    name: 'verify-email',
    who: 'nobody',
    path: '/login',
    open: async (page) => {
      await page.goto(`/verify-email?${new URLSearchParams({ token: (await unconfirmed()).token })}`)
      await page.getByRole('button', { name: 'Confirm address' }).waitFor()
    },
  },
  { name: 'verify-email-void', who: 'nobody', path: '/verify-email?token=none', open: heading('This link does not work') },
  { name: 'not-found', who: 'nobody', path: '/no/such/page', open: (page) => page.getByText('Page not found: /no/such/page').waitFor() },
  { name: 'blog', who: 'nobody', path: '/blog', open: heading('Blog') },
  { name: 'blog-post', who: 'nobody', path: '/blog/sharing-without-worry', open: heading('Sharing a collection') },
  { name: 'page', who: 'nobody', path: '/how-it-works', open: heading('How it works') },
  { name: 'collections', who: 'ada', path: '/collections', open: heading('Collections') },
  {
    name: 'collections-none',
    who: 'newcomer',
    path: '/collections',
    open: (page) => page.getByRole('button', { name: 'New collection' }).first().waitFor(),
  },
  {
    name: 'new-collection',
    who: 'ada',
    path: '/collections',
    open: async (page) => {
      await page.getByRole('button', { name: 'New collection' }).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'trash-empty',
    who: 'newcomer',
    path: '/collections?trash=open',
    open: (page) => page.getByText('The trash is empty').waitFor(),
  },
  {
    name: 'feed',
    who: 'cy',
    path: '/collections',
    // The photos came before the last visit, the posts after it, and looking does not change that.
    open: async (page, { full }) => {
      await full.sql`update asset_collections set added_at = now() - interval '3 days' where collection_id = ${full.collection.id}`
      await full.sql`insert into feed_visits (user_id, seen_at) values (${full.as('cy').id}, now() - interval '1 day')
        on conflict (user_id) do update set seen_at = excluded.seen_at`
      await page.route('**/api/feed/visit', (route) => route.fulfill({ status: 503 }))
      await page.goto('/feed')
      await heading(/^New since/)(page)
    },
  },
  { name: 'feed-own', who: 'ada', path: '/feed', open: entry },
  { name: 'feed-empty', who: 'newcomer', path: '/feed', open: heading('Nothing new yet') },
  { name: 'feed-failed', who: 'owner of nothing', path: '/feed', open: failing('**/api/feed*') },
  {
    name: 'profile',
    who: 'ada',
    path: '/profile/settings',
    open: (page) => page.getByRole('list', { name: 'Devices' }).waitFor(),
  },
  { name: 'profile-failed', who: 'ada', path: '/profile/settings', open: failing('**/api/access') },
  {
    name: 'profile-token',
    who: 'ada',
    path: '/profile/settings',
    open: async (page) => {
      await page.getByRole('button', { name: 'New token' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'profile-storage',
    who: 'ada',
    path: '/profile/settings',
    // In the full collection, and for the account, it is almost full.
    open: async (page, { full }) => {
      await full.sql`insert into quotas (owner, bytes, items) select user_id, bytes * 16 / 15, 500000 from account_usage where user_id = ${full.as('ada').id}
        on conflict do nothing`
      const section = page.getByRole('region', { name: 'Storage' })
      await page.reload()
      await section.getByText('Almost full').waitFor()
      await section.evaluate((element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 80))
    },
  },
  {
    name: 'profile-unattached',
    who: 'ada',
    path: '/profile/settings',
    open: async (page, { full }) => {
      await full.as('ada').post('/api/post', { type: 'note', title: 'Names of boats' })
      await page.getByRole('button', { name: 'Items in no collection…' }).click()
      await page.getByRole('list', { name: 'Items in no collection' }).waitFor()
    },
  },
  {
    name: 'profile-unattached-empty',
    who: 'newcomer',
    path: '/profile/settings',
    open: async (page) => {
      await page.getByRole('button', { name: 'Items in no collection…' }).click()
      await page.getByText('All your posts and files are in a collection.').waitFor()
    },
  },
  {
    name: 'profile-delete',
    who: 'ada',
    path: '/profile/settings',
    open: async (page) => {
      await page.getByRole('button', { name: 'Delete account…' }).click()
      await page.getByRole('dialog').getByRole('checkbox').waitFor()
    },
  },
  {
    name: 'profile-presence',
    who: 'ada',
    path: '/profile/settings',
    open: (page) => page.getByRole('switch', { name: 'Show others what I am looking at' }).scrollIntoViewIfNeeded(),
  },
]
