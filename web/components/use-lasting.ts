import { useEffect, useState } from 'react'

/** True once `value` has been true for this long. */
export function useLasting(value: boolean, milliseconds: number): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!value) return setLasting(false)
    const timer = setTimeout(() => setLasting(true), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return value && lasting
}
