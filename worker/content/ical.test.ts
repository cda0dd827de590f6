import { describe, expect, test } from 'vitest'
import { component, textValue } from './ical.ts'

const octets = (line: string) => new TextEncoder().encode(line).length

describe('a calendar line', () => {
  test.each(['a', 'é', '長', '🏔️', 'a長', 'é🏔️'])('of %s is folded at 75 octets and comes back whole', (character) => {
    const value = character.repeat(200)
    const text = component('VEVENT', [['SUMMARY', value]])
    const lines = text.split('\r\n').slice(1, -2)
    expect(Math.max(...lines.map(octets))).toBeLessThanOrEqual(75)
    // Each line but the last has no room for one more code point.
    expect(Math.min(...lines.slice(0, -1).map(octets))).toBeGreaterThan(75 - 4)
    expect(text.isWellFormed() && lines.every((line) => line.isWellFormed())).toBe(true)
    expect(lines.join('').replaceAll(/(?<!^) /g, '')).toBe(`SUMMARY:${value}`)
  })

  test('of exactly 75 octets is not folded', () => {
    expect(component('X', [['N', 'a'.repeat(73)]]).split('\r\n')).toHaveLength(4)
    expect(component('X', [['N', 'a'.repeat(74)]]).split('\r\n')).toHaveLength(5)
  })

  test('has no control characters, and escapes what has a meaning', () => {
    expect(textValue('a,b;c\\d\r\ne\rf\u0000\u007f')).toBe('a\\,b\\;c\\\\d\\ne\\nf')
  })
})
