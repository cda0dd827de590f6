import type { ComponentProps } from 'react'

interface GridPartProps extends ComponentProps<'div'> {
  role: 'grid' | 'rowgroup' | 'row' | 'gridcell' | 'columnheader'
}

/** A part of an ARIA grid. Not a table: its cells could not be laid out as a CSS grid, with bars across them. */
export function GridPart({ role, ...rest }: GridPartProps) {
  return <div role={role} {...rest} />
}
