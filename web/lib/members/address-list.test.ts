import { expect, test } from 'vitest'
import { assignAddresses, parseAddressList } from './address-list.ts'

test('parseAddressList reads lines with and without a name', () => {
  const text = 'Ana Silva <ana@example.org>,\n\n "Žofie" <zofie@example.org>; bob@example.org\r\n<cy@example.org>'
  expect(parseAddressList(text)).toEqual([
    { name: 'Ana Silva', email: 'ana@example.org' },
    { name: 'Žofie', email: 'zofie@example.org' },
    { name: null, email: 'bob@example.org' },
    { name: null, email: 'cy@example.org' },
  ])
})

test('parseAddressList keeps a line that is no address, so that it can be shown', () => {
  expect(parseAddressList('Grandma')).toEqual([{ name: null, email: 'Grandma' }])
})

const people = ['Ana', 'Bob', 'Žofie'].map((name) => ({ id: name, name }))

test('assignAddresses matches names without case and accents', () => {
  const { emails, rest } = assignAddresses(parseAddressList('zofie <z@example.org>\nDan <d@example.org>'), people, [])
  expect([...emails]).toEqual([['Žofie', 'z@example.org']])
  expect(rest).toEqual([{ name: 'Dan', email: 'd@example.org' }])
})

test('assignAddresses gives addresses without a name to the others in order', () => {
  const { emails, rest } = assignAddresses(
    parseAddressList('x@example.org\nAna <a@example.org>\ny@example.org\nz@example.org'),
    people,
    people,
  )
  expect([...emails]).toEqual([
    ['Ana', 'a@example.org'],
    ['Bob', 'x@example.org'],
    ['Žofie', 'y@example.org'],
  ])
  expect(rest).toEqual([{ name: null, email: 'z@example.org' }])
})

test('assignAddresses gives one person one address', () => {
  const { emails, rest } = assignAddresses(parseAddressList('Ana <a@example.org>\nAna <b@example.org>'), people, [])
  expect([...emails]).toEqual([['Ana', 'a@example.org']])
  expect(rest).toHaveLength(1)
})
