import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { type ButtonLook, buttonClass } from './button-class.ts'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icon.tsx'

interface ButtonLinkProps extends Omit<LinkProps, 'children'>, Pick<ButtonLook, 'variant' | 'size'> {
  icon?: IconName
  children: ReactNode
}

export function ButtonLink({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={cx(buttonClass({ variant, size }), className)}>
      {icon && <Icon name={icon} size={size === 'lg' ? 22 : 18} />}
      {children}
    </Link>
  )
}
