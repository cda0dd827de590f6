import type { ReactNode } from 'react'

// The macros for JSX as TypeScript sees them. Every build replaces them by `Trans` (trans.tsx).

interface Words {
  /** For translators. */
  comment?: string
  /** Tells two uses of the same English words apart. */
  context?: string
}

/** A sentence with elements in it: `<Trans>New here? <TextLink to={…}>Create an account</TextLink></Trans>`. */
export declare function Trans(props: Words & { children: ReactNode }): ReactNode

/** The words for a count, alone or inside `Trans`: `<Plural value={count} one="# photo" other="# photos" />`. `_0` is for exactly none. */
export declare function Plural(props: Words & { value: number; _0?: string; one?: string; other: string }): ReactNode
