/** Whether the page is read from right to left. */
export const isRightToLeft = () => document.documentElement.dir === 'rtl'

const MIRRORED: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

/** The key of an event as if the page were read from left to right: ArrowRight leads on, ArrowLeft back. */
export const readingKey = ({ key }: { key: string }) => (isRightToLeft() ? (MIRRORED[key] ?? key) : key)
