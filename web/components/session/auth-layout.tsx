import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { t } from '#say'
import { PATHS } from '../../lib/links.ts'
import { Mark } from '../../ui/mark.tsx'
import { CairnScene } from '../site/cairn-scene.tsx'
import { LanguageChoice } from './language-choice.tsx'

interface AuthLayoutProps {
  title: string
  lead: ReactNode
  children?: ReactNode
  /** Below the form: a link to the related page. */
  foot?: ReactNode
}

/** Sign-in, registration and password reset: the form on one side, an evening scene on the other. */
export function AuthLayout({ title, lead, children, foot }: AuthLayoutProps) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(26rem,1fr)_1.15fr]">
      <title>{t`${title} · Cairn`}</title>
      <div className="flex flex-col px-6 py-6 sm:px-10">
        <header>
          <Link to={PATHS.home} className="-m-1 inline-flex items-center gap-2.5 rounded-md p-1">
            <Mark size={26} />
            <span className="text-[1.0625rem] font-semibold tracking-tight">Cairn</span>
          </Link>
        </header>
        <main id="content" tabIndex={-1} className="mx-auto my-auto grid w-full max-w-sm gap-6 py-12 outline-none">
          <div>
            <h1 className="text-xl font-semibold">{title}</h1>
            <p className="mt-1.5 text-pretty text-muted">{lead}</p>
          </div>
          {children}
          {foot && <p className="text-sm text-muted">{foot}</p>}
        </main>
        <footer>
          <LanguageChoice />
        </footer>
      </div>
      <div className="relative hidden overflow-hidden lg:block">
        <CairnScene className="absolute inset-0 size-full" />
      </div>
    </div>
  )
}

export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="rounded-xs font-medium text-accent underline decoration-1 underline-offset-3 hover:decoration-2">
      {children}
    </Link>
  )
}
