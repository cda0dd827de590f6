import type { ComponentProps } from 'react'

interface GridPartProps extends ComponentProps<'div'> {
  role: 'grid' | 'rowgroup' | 'row' | 'gridcell' | 'columnheader'
}

/** A piece of an ARIA grid. No table: its cells could not be laid out as a CSS grid, with bars that reach over them. */
export function GridPart({ role, ...rest }: GridPartProps) {
  return <div role={role} {...rest} />
}
