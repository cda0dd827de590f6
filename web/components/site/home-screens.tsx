import { useAtomValue } from 'jotai'
import { useSyncExternalStore } from 'react'
import { t } from '#say'
import { appearanceAtom } from '../../atoms/theme.ts'
import { cx } from '../../ui/cx.ts'
import mediaDark from './home-screens/media-dark.webp?url'
import mediaLight from './home-screens/media-light.webp?url'
import timelineDark from './home-screens/timeline-dark.webp?url'
import timelineLight from './home-screens/timeline-light.webp?url'

/** Two real screens of the demo, in the page's colour mode. Sources and licences of their photos: dev/demo. */
export function HomeScreens() {
  return (
    <>
      <Screen
        light={mediaLight}
        dark={mediaDark}
        width={1280}
        height={800}
        alt={t`A collection in Cairn: photos of a journey, in rows by day`}
        className="absolute top-[9%] start-[6%] w-[82%] rounded-t-xl max-sm:start-4 max-sm:w-[150%] max-sm:max-w-none"
      />
      <Screen
        light={timelineLight}
        dark={timelineDark}
        width={480}
        height={985}
        alt={t`The same collection on a phone: posts and photos on one timeline`}
        className="absolute top-[22%] end-[5%] w-[21%] rounded-2xl max-sm:hidden"
      />
    </>
  )
}

interface ScreenProps {
  light: string
  dark: string
  width: number
  height: number
  alt: string
  className: string
}

const nothing = () => () => {}

/** As the build rendered it, until hydration. */
function useAppearance() {
  const chosen = useAtomValue(appearanceAtom)
  return useSyncExternalStore(
    nothing,
    () => chosen,
    () => 'system',
  )
}

function Screen({ light, dark, width, height, alt, className }: ScreenProps) {
  const appearance = useAppearance()
  return (
    <picture>
      {appearance === 'system' && <source srcSet={dark} media="(prefers-color-scheme: dark)" />}
      <img
        src={appearance === 'dark' ? dark : light}
        width={width}
        height={height}
        alt={alt}
        decoding="async"
        className={cx('h-auto border shadow-dialog', className)}
      />
    </picture>
  )
}
