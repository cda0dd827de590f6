import { type Said, say } from '#language'
import { msg, t } from '#say'
import { Trans } from '#say/react'
import { CairnScene } from '../components/site/cairn-scene.tsx'
import { HomeScreens } from '../components/site/home-screens.tsx'
import { SiteFooter } from '../components/site/site-layout.tsx'
import { PATHS } from '../lib/links.ts'
import { ButtonLink } from '../ui/button-link.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'

const POINTS: { icon: IconName; title: Said; text: Said }[] = [
  {
    icon: 'photo-library',
    title: msg`Everything by day`,
    text: msg`Drop in a whole memory card. Cairn reads when and where each photo was taken and puts it on its day.`,
  },
  {
    icon: 'group',
    title: msg`Together`,
    text: msg`Invite the people who were there. Each can view, add or manage, as you choose. No one else sees anything unless you share a link.`,
  },
  {
    icon: 'lock',
    title: msg`Kept as it was`,
    text: msg`Originals stay byte for byte what you added. Places and camera details never leave with a preview.`,
  },
]

/** Presents Cairn to visitors who are not signed in. */
export function HomePage() {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>Cairn</title>
      <header className="mx-auto flex w-full max-w-6xl items-center gap-2.5 px-6 py-5">
        <Mark size={28} />
        <span className="text-[1.0625rem] font-semibold tracking-tight">Cairn</span>
        <nav aria-label={t`Account`} className="ms-auto flex gap-2">
          <ButtonLink to={PATHS.login} variant="ghost">
            <Trans>Sign in</Trans>
          </ButtonLink>
          <ButtonLink to={PATHS.register} variant="secondary" className="max-sm:hidden">
            <Trans>Create account</Trans>
          </ButtonLink>
        </nav>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto grid w-full max-w-6xl grow content-start gap-16 px-6 pt-8 pb-20 outline-none sm:pt-12"
      >
        <section className="grid gap-12">
          <div className="mx-auto grid max-w-3xl justify-items-center text-center">
            <h1 className="text-2xl font-semibold sm:text-3xl">
              <Trans>The places you have been, kept with the people who were there.</Trans>
            </h1>
            <p className="mt-5 max-w-xl text-[1.0625rem] text-pretty text-muted">
              <Trans>
                Cairn keeps photos and posts in collections: a trip, a family, a garden through the years. Add to them together, and find
                every day again.
              </Trans>
            </p>
            <div className="mt-8 flex flex-wrap justify-center gap-3">
              <ButtonLink to={PATHS.register} variant="primary" size="lg">
                <Trans>Start a collection</Trans>
              </ButtonLink>
              <ButtonLink to={PATHS.login} size="lg">
                <Trans>Sign in</Trans>
              </ButtonLink>
            </div>
          </div>
          <div className="relative aspect-[16/9] overflow-hidden rounded-2xl max-sm:aspect-[4/3]">
            <CairnScene className="absolute inset-0 size-full" />
            <HomeScreens />
          </div>
        </section>
        <ul className="grid gap-8 sm:grid-cols-3">
          {POINTS.map(({ icon, title, text }) => (
            <li key={icon}>
              <Icon name={icon} size={24} className="text-(--accent-text)" />
              <h2 className="mt-3 font-semibold">{say(title)}</h2>
              <p className="mt-1 text-pretty text-muted">{say(text)}</p>
            </li>
          ))}
        </ul>
      </main>
      <SiteFooter />
    </div>
  )
}
