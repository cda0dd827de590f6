import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { say } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import { isPreview } from '../../../contract/site.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { PATHS } from '../../lib/links.ts'
import { PAGE_LINKS } from '../../lib/page-links.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Mark } from '../../ui/mark.tsx'
import { LanguageChoice } from '../session/language-choice.tsx'
import { SkipLink } from '../shell/skip-link.tsx'

const QUIET = 'rounded-xs underline-offset-4 hover:text-default hover:underline'

/** The layout `default` around written pages. */
export function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <SiteHeader />
      <main id="content" tabIndex={-1} className="w-full grow outline-none">
        {children}
      </main>
      <SiteFooter />
    </div>
  )
}

function SiteHeader() {
  const signedIn = useAtomValue(sessionUserIdAtom) !== null
  return (
    <header className="mx-auto flex w-full max-w-6xl items-center gap-2.5 px-6 py-5">
      <Link to={PATHS.home} className="-m-1 inline-flex items-center gap-2.5 rounded-md p-1">
        <Mark size={28} />
        <span className="text-[1.0625rem] font-semibold tracking-tight">Cairn</span>
      </Link>
      <PreviewMark />
      <nav aria-label={t`Site`} className="ms-8 flex gap-6 text-sm text-muted max-md:hidden">
        {PAGE_LINKS.slice(0, 3).map(({ to, label }) => (
          <Link key={to} to={to} className={QUIET}>
            {say(label)}
          </Link>
        ))}
      </nav>
      <nav aria-label={t`Account`} className="ms-auto flex gap-2">
        {signedIn ? (
          <ButtonLink to={PATHS.collections}>
            <Trans>Your collections</Trans>
          </ButtonLink>
        ) : (
          <>
            <ButtonLink to={PATHS.login} variant="ghost">
              <Trans>Sign in</Trans>
            </ButtonLink>
            <ButtonLink to={PATHS.register} variant="secondary" className="max-sm:hidden">
              <Trans>Create account</Trans>
            </ButtonLink>
          </>
        )}
      </nav>
    </header>
  )
}

/** Shown while `?preview` is in the URL: drafts are visible. */
function PreviewMark() {
  const { pathname, search } = useLocation()
  if (!isPreview(new URLSearchParams(search))) return null
  return (
    <p className="flex items-center gap-2 text-xs">
      <span className="rounded-sm bg-warning-soft px-1.5 py-0.5 font-medium text-warning">
        <Trans context="noun">Preview</Trans>
      </span>
      <Link to={pathname} className={`${QUIET} text-muted pointer-coarse:py-2.5`}>
        <Trans context="verb">Exit</Trans>
      </Link>
    </p>
  )
}

/** Footer of the home page and of every written page. */
export function SiteFooter() {
  return (
    <footer className="border-t">
      <div className="mx-auto flex w-full max-w-6xl flex-wrap items-center gap-x-8 gap-y-4 px-6 py-6 text-sm text-muted">
        <p className="grow">
          <Trans>Cairn: a pile of stones that says somebody was here.</Trans>
        </p>
        <nav aria-label={t`About Cairn`} className="flex flex-wrap gap-x-6 gap-y-1">
          {PAGE_LINKS.map(({ to, label }) => (
            <Link key={to} to={to} className={`${QUIET} pointer-coarse:py-2.5`}>
              {say(label)}
            </Link>
          ))}
        </nav>
        <LanguageChoice />
      </div>
    </footer>
  )
}
