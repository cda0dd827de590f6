import { describe, expect, test } from 'vitest'
import { readMessages } from './whatsapp-messages.ts'

const walls = (text: string) => readMessages(text).map(({ wall }) => wall)

describe('Messages of a chat', () => {
  test.each([
    ['[03.05.24, 14:20:05] Ann: hi', '2024-05-03T14:20:05'],
    ['\u200e[3/5/2024, 14:20:05] Ann: hi', '2024-05-03T14:20:05'],
    ['03/05/2024, 14:20 - Ann: hi', '2024-05-03T14:20:00'],
    ['03/05/2024 14:20 - Ann: hi', '2024-05-03T14:20:00'],
    ['03-05-2024 14:20 - Ann: hi', '2024-05-03T14:20:00'],
    ['03.05.24, 14:20 - Ann: hi', '2024-05-03T14:20:00'],
    ['5/3/24, 2:20\u202fPM - Ann: hi', '2024-05-03T14:20:00'],
    ['[5/3/24, 12:20:05 AM] Ann: hi', '2024-05-03T00:20:05'],
    ['03/05/2024, 2:20 pm - Ann: hi', '2024-05-03T14:20:00'],
    ['3/5/2024, 2:20 p. m. - Ann: hi', '2024-05-03T14:20:00'],
    ['[2024/05/03, 14:20:05] Ann: hi', '2024-05-03T14:20:05'],
    ['2024-05-03, 14:20 - Ann: hi', '2024-05-03T14:20:00'],
    ['[3.5.2024 klo 14.20.05] Ann: hi', '2024-05-03T14:20:05'],
    ['2024. 5. 3. 오후 2:20, Ann : hi', '2024-05-03T14:20:00'],
    ['[2024/5/3 下午2:20:05] Ann: hi', '2024-05-03T14:20:05'],
    ['[2024/5/3 午前0:20:05] Ann: hi', '2024-05-03T00:20:05'],
    ['[2024/5/3 晚上8:20:05] Ann: hi', '2024-05-03T20:20:05'],
    ['2024/5/3 凌晨12:20 - Ann: hi', '2024-05-03T00:20:00'],
    ['2024/5/3 中午12:20 - Ann: hi', '2024-05-03T12:20:00'],
    ['2024/5/3 早上8:20 - Ann: hi', '2024-05-03T08:20:00'],
    ['٣\u200f/٥\u200f/٢٠٢٤، ٢:٢٠ م - Ann: hi', '2024-05-03T14:20:00'],
    ['[٣\u200f/٥\u200f/٢٠٢٤، ١٢:٢٠:٠٥\u00a0ص] Ann: hi', '2024-05-03T00:20:05'],
    ['[3/5/2024، 2:20:05 م] Ann: hi', '2024-05-03T14:20:05'],
    ['3/5/2024, 2:20 م - Ann: hi', '2024-05-03T14:20:00'],
    ['۲۰۲۴/۵/۳،\u200f ۱۴:۲۰ - Ann: hi', '2024-05-03T14:20:00'],
    ['3/5/24, 2:20 μ.μ. - Ann: hi', '2024-05-03T14:20:00'],
    ['[3/5/24, 12:20:05 π.μ.] Ann: hi', '2024-05-03T00:20:05'],
  ])('begin with a date in the form of a region: %j', (line, wall) => {
    expect(readMessages(line)).toEqual([{ wall, sender: 'Ann', text: 'hi' }])
  })

  test('The order of day and month is that of the whole chat', () => {
    expect(walls('5/3/2024, 10:00 - Ann: a\n5/13/2024, 10:00 - Ann: b')).toEqual(['2024-05-03T10:00:00', '2024-05-13T10:00:00'])
    expect(walls('1/2/24, 2:00 PM - Ann: a\n13/2/24, 2:00 PM - Ann: b')).toEqual(['2024-02-01T14:00:00', '2024-02-13T14:00:00'])
    // Both orders are valid, but only one keeps the messages in order.
    expect(walls('12/1/2024, 10:00 - Ann: a\n1/2/2024, 10:00 - Ann: b')).toEqual(['2024-01-12T10:00:00', '2024-02-01T10:00:00'])
    expect(walls('1/12/2024, 10:00 - Ann: a\n2/1/2024, 10:00 - Ann: b')).toEqual(['2024-01-12T10:00:00', '2024-02-01T10:00:00'])
  })

  test('Digits of a message stay as they are written', () => {
    expect(readMessages('٣\u200f/٥\u200f/٢٠٢٤، ٢:٢٠ م - أحمد: ٥ تفاحات، شكرا')).toEqual([
      { wall: '2024-05-03T14:20:00', sender: 'أحمد', text: '٥ تفاحات، شكرا' },
    ])
  })

  test('Further lines belong to their message, and a colon in it to its text', () => {
    expect(readMessages('03.05.24, 14:20 - Ann: Packing:\n- tea\n\n12:30 bus\r\n03.05.24, 14:21 - Tom B: ok')).toMatchObject([
      { sender: 'Ann', text: 'Packing:\n- tea\n\n12:30 bus' },
      { sender: 'Tom B', text: 'ok' },
    ])
  })

  test('What the app wrote itself is left out', () => {
    const chat = [
      '[03.05.24, 14:20:00] Family: \u200eMessages and calls are end-to-end encrypted.',
      '03.05.24, 14:20 - Ann joined using an invite link',
      '\u200e[03.05.24, 14:20:00] Ann: \u200eimage omitted',
      '03.05.24, 14:20 - Ann: <Media omitted>',
      '[03.05.24, 14:20:00] ~\u202fAnn: Better \u200e<This message was edited>',
      '\u200e[03.05.24, 14:20:00] Ann: \u200e<attached: 1.jpg>',
      '[03.05.24, 14:20:00] Ann: \u200eLocation: https://maps.google.com/?q=1,2',
    ]
    expect(readMessages(chat.join('\n')).map(({ sender, text }) => `${sender}: ${text}`)).toEqual([
      'Ann: Better',
      'Ann: <attached: 1.jpg>',
      'Ann: Location: https://maps.google.com/?q=1,2',
    ])
  })

  test('A colon in what Android tells about the group makes no sender, and names with marks are names', () => {
    const chat = [
      'Ann changed the group name from "Trip: Rome" to "Rome"',
      'Ann hat den Gruppennamen in „Reise: Rom“ geändert',
      'Tom created group “Plans: May”',
      'Messages to this group are now protected by a new code: tap to learn more',
      'Tom "Tommy" Smith: hi',
      'Dr. Maria da Silva Santos Oliveira Costa: he said "yes: no"',
      '+43 660 123 45 67: ok',
      'Tom 6": tall',
    ]
    expect(readMessages(chat.map((rest) => `03.05.24, 14:20 - ${rest}`).join('\n')).map(({ sender, text }) => [sender, text])).toEqual([
      ['Tom "Tommy" Smith', 'hi'],
      ['Dr. Maria da Silva Santos Oliveira Costa', 'he said "yes: no"'],
      ['+43 660 123 45 67', 'ok'],
      ['Tom 6"', 'tall'],
    ])
  })

  test.each(['', 'A text\nof lines', '[99.99.24, 14:20:05] Ann: hi', '03.05.24, 31:20 - Ann: hi', '۱۴۰۳/۲/۱۴، ۱۴:۲۰ - Ann: hi'])(
    '%j is no chat',
    (text) => {
      expect(readMessages(text)).toEqual([])
    },
  )
})
